#include "core/graph/chart.hpp"

#include <algorithm>
#include <limits>

#include "core/cancel.hpp"

namespace plait {

namespace {

constexpr float nothing = -std::numeric_limits<float>::infinity();

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

double Chart::search(const Candidates& arcs, const PartScores& scores, bool single_root, ArcTree& tree) {
    arcs_ = &arcs;
    scores_ = &scores;
    single_root_ = single_root;
    stride_ = at(arcs.words());
    const auto count = static_cast<ArcNumber>(arcs.size());
    std::size_t labels = 0, joined = 0, most_labels = 0;
    joined_starts_.clear();
    by_width_.resize(arcs.size());
    for (ArcNumber arc = 0; arc < count; ++arc) {
        by_width_[at(arc)] = arc;
        labels += arcs[arc].label_count;
        most_labels = std::max<std::size_t>(most_labels, arcs[arc].label_count);
        joined_starts_.push_back(joined);
        joined += arcs.outer(arc).size() + 1;
    }
    std::ranges::stable_sort(by_width_, {}, [&](ArcNumber arc) { return arcs[arc].width(); });
    open_.assign(labels, nothing);
    joined_.assign(joined, nothing);
    closed_.assign(arcs.size() * stride_, nothing);
    head_side_.resize(most_labels);
    dependent_side_.resize(most_labels);

    std::size_t opened = 0;
    for (std::size_t width = 1; width <= at(arcs.words()); ++width) {
        for (; opened < by_width_.size() && arcs[by_width_[opened]].width() == width; ++opened) {
            check_cancelled();
            open_arc(by_width_[opened]);
        }
        check_cancelled();
        for (std::size_t i = 0; i < opened; ++i) {
            const std::size_t reach = width - arcs[by_width_[i]].width();
            if (reach <= reach_of(by_width_[i])) close_arc(by_width_[i], reach);
        }
    }
    float best = nothing;
    ArcNumber root_arc = none;
    for (const ArcNumber arc : arcs.from(0, true)) {
        if (closed(arc, reach_of(arc)) > best) {
            best = closed(arc, reach_of(arc));
            root_arc = arc;
        }
    }
    if (root_arc == none) return no_tree;
    read(root_arc, tree);
    return static_cast<double>(best);
}

std::size_t Chart::reach_of(ArcNumber arc) const {
    const Candidate& found = (*arcs_)[arc];
    return at(found.rightward() ? arcs_->words() - found.dependent : found.dependent - 1);
}

std::size_t Chart::splits(ArcNumber arc) const {
    const Candidate& found = (*arcs_)[arc];
    return single_root_ && found.head == 0 ? 1 : found.width();
}

void Chart::best_within(std::span<const ArcNumber> others, const float* parts, std::size_t reach,
                        std::size_t labels, float* best) const {
    if (reach == 0) {
        std::copy_n(parts, labels, best);
        return;
    }
    std::fill_n(best, labels, nothing);
    for (const ArcNumber other : others) {
        parts += labels;
        const std::size_t width = (*arcs_)[other].width();
        if (width > reach) break;
        const float inside = closed(other, reach - width);
        if (inside == nothing) continue;
        for (std::size_t l = 0; l < labels; ++l) best[l] = std::max(best[l], inside + parts[l]);
    }
}

void Chart::open_arc(ArcNumber arc) {
    const Candidate& found = (*arcs_)[arc];
    const std::size_t labels = found.label_count;
    float* const open = open_.data() + found.first_label;
    const auto siblings = arcs_->siblings(arc), inner = arcs_->inner(arc), outer = arcs_->outer(arc);
    for (std::size_t split = 0; split < splits(arc); ++split) {
        best_within(siblings, scores_->sibling(arc, 0), split, labels, head_side_.data());
        if (head_side_[0] == nothing) continue;
        best_within(inner, scores_->inner(arc, 0), found.width() - 1 - split, labels, dependent_side_.data());
        for (std::size_t l = 0; l < labels; ++l) {
            open[l] = std::max(open[l], head_side_[l] + dependent_side_[l]);
        }
    }
    const float* const first = scores_->first(arc);
    for (std::size_t l = 0; l < labels; ++l) open[l] += first[l];
    float* const joined = joined_.data() + joined_starts_[at(arc)];
    for (std::size_t rank = 0; rank <= outer.size(); ++rank) {
        const float* const part = scores_->outer(arc, rank);
        for (std::size_t l = 0; l < labels; ++l) joined[rank] = std::max(joined[rank], open[l] + part[l]);
    }
}

void Chart::close_arc(ArcNumber arc, std::size_t reach) {
    const float* const joined = joined_.data() + joined_starts_[at(arc)];
    float best = reach == 0 ? joined[0] : nothing;
    if (reach > 0 && joined[0] > nothing) {
        std::size_t rank = 0;
        for (const ArcNumber other : arcs_->outer(arc)) {
            ++rank;
            const std::size_t width = (*arcs_)[other].width();
            if (width > reach) break;
            best = std::max(best, joined[rank] + closed(other, reach - width));
        }
    }
    closed(arc, reach) = best;
}

std::size_t Chart::rank_within(std::span<const ArcNumber> others, const float* parts, std::size_t reach,
                               std::size_t labels, std::size_t label) const {
    std::size_t best_rank = 0;
    float best = nothing;
    for (std::size_t rank = 1; rank <= others.size(); ++rank) {
        const std::size_t width = (*arcs_)[others[rank - 1]].width();
        if (width > reach) break;
        const float score = closed(others[rank - 1], reach - width) + parts[rank * labels + label];
        if (score > best) {
            best = score;
            best_rank = rank;
        }
    }
    return best_rank;
}

void Chart::read(ArcNumber root_arc, ArcTree& tree) {
    tree.reset(arcs_->words());
    waiting_ = {{root_arc, static_cast<Index>(reach_of(root_arc))}};
    const auto wait = [&](ArcNumber arc, std::size_t reach) {
        waiting_.push_back({arc, static_cast<Index>(reach - (*arcs_)[arc].width())});
    };
    while (!waiting_.empty()) {
        check_cancelled();
        const auto [arc, room] = waiting_.back();
        waiting_.pop_back();
        const Candidate& found = (*arcs_)[arc];
        const std::size_t labels = found.label_count, reach = at(room);
        const auto outer = arcs_->outer(arc), siblings = arcs_->siblings(arc), inner = arcs_->inner(arc);
        // The outer grandchild, then the label, then where the words between were parted.
        const std::size_t beyond =
            reach == 0 ? 0 : rank_within(outer, joined_.data() + joined_starts_[at(arc)], reach, 1, 0);
        if (beyond > 0) wait(outer[beyond - 1], reach);
        const float* const open = open_.data() + found.first_label;
        const float* const part = scores_->outer(arc, beyond);
        std::size_t label = 0;
        for (std::size_t l = 1; l < labels; ++l) {
            if (open[l] + part[l] > open[label] + part[label]) label = l;
        }
        tree[found.dependent] = {arc, static_cast<std::int32_t>(label)};
        float best = nothing;
        std::size_t best_split = 0;
        for (std::size_t split = 0; split < splits(arc); ++split) {
            best_within(siblings, scores_->sibling(arc, 0), split, labels, head_side_.data());
            best_within(inner, scores_->inner(arc, 0), found.width() - 1 - split, labels,
                        dependent_side_.data());
            if (head_side_[label] + dependent_side_[label] > best) {
                best = head_side_[label] + dependent_side_[label];
                best_split = split;
            }
        }
        const std::size_t rest = found.width() - 1 - best_split;
        if (best_split > 0) {
            const std::size_t rank =
                rank_within(siblings, scores_->sibling(arc, 0), best_split, labels, label);
            wait(siblings[rank - 1], best_split);
        }
        if (rest > 0) {
            const std::size_t rank = rank_within(inner, scores_->inner(arc, 0), rest, labels, label);
            wait(inner[rank - 1], rest);
        }
    }
}

}  // namespace plait
