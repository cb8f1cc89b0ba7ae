#include "core/graph/eisner.hpp"

#include <algorithm>
#include <limits>

#include "core/cancel.hpp"

namespace plait {

namespace {

constexpr float nothing = -std::numeric_limits<float>::infinity();

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

std::size_t FirstOrderChart::splits(ArcNumber arc) const {
    const Candidate& found = (*arcs_)[arc];
    return single_root_ && found.head == 0 ? 1 : found.width();
}

double FirstOrderChart::search(const Candidates& arcs, bool single_root, ArcTree& tree) {
    arcs_ = &arcs;
    single_root_ = single_root;
    const Index words = arcs.words();
    stride_ = at(words) + 1;
    open_.assign(arcs.size(), nothing);
    closed_.assign(2 * stride_ * stride_, nothing);
    for (Index node = 0; node <= words; ++node) {
        closed_[place(node, false, 0)] = closed_[place(node, true, 0)] = 0;
    }
    std::vector<ArcNumber> by_width(arcs.size());
    for (std::size_t i = 0; i < by_width.size(); ++i) by_width[i] = static_cast<ArcNumber>(i);
    std::ranges::stable_sort(by_width, {}, [&](ArcNumber arc) { return arcs[arc].width(); });

    std::size_t opened = 0;
    for (std::size_t width = 1; width <= at(words); ++width) {
        check_cancelled();
        for (; opened < by_width.size() && arcs[by_width[opened]].width() == width; ++opened) {
            const Candidate& arc = arcs[by_width[opened]];
            float best = nothing;
            for (std::size_t split = 0; split < splits(by_width[opened]); ++split) {
                best = std::max(best, closed_[place(arc.head, arc.rightward(), split)] +
                                          closed_[place(arc.dependent, !arc.rightward(), width - 1 - split)]);
            }
            open_[at(by_width[opened])] = best + best_[at(by_width[opened])].score;
        }
        for (Index node = 0; node <= words; ++node) {
            for (const bool rightward : {false, true}) {
                if (width > at(rightward ? words - node : node - (node > 0))) continue;
                float best = nothing;
                for (const ArcNumber other : arcs.from(node, rightward)) {
                    const Candidate& arc = arcs[other];
                    if (arc.width() > width) break;
                    best = std::max(best, open_[at(other)] +
                                              closed_[place(arc.dependent, rightward, width - arc.width())]);
                }
                closed_[place(node, rightward, width)] = best;
            }
        }
    }
    const float best = closed_[place(0, true, at(words))];
    if (best > nothing) read(tree);
    return static_cast<double>(best);
}

void FirstOrderChart::read(ArcTree& tree) const {
    struct Item {
        Index node;
        bool rightward;
        std::size_t reach;
    };
    tree.reset(arcs_->words());
    std::vector<Item> waiting{{0, true, at(arcs_->words())}};
    while (!waiting.empty()) {
        check_cancelled();
        const auto [node, rightward, reach] = waiting.back();
        waiting.pop_back();
        if (reach == 0) continue;
        ArcNumber chosen = none;
        float best = nothing;
        for (const ArcNumber other : arcs_->from(node, rightward)) {
            const Candidate& arc = (*arcs_)[other];
            if (arc.width() > reach) break;
            const float score =
                open_[at(other)] + closed_[place(arc.dependent, rightward, reach - arc.width())];
            if (score > best) {
                best = score;
                chosen = other;
            }
        }
        const Candidate& arc = (*arcs_)[chosen];
        tree[arc.dependent] = {chosen, best_[at(chosen)].label};
        waiting.push_back({arc.dependent, rightward, reach - arc.width()});
        std::size_t best_split = 0;
        best = nothing;
        for (std::size_t split = 0; split < splits(chosen); ++split) {
            const float score = closed_[place(node, rightward, split)] +
                                closed_[place(arc.dependent, !rightward, arc.width() - 1 - split)];
            if (score > best) {
                best = score;
                best_split = split;
            }
        }
        waiting.push_back({node, rightward, best_split});
        waiting.push_back({arc.dependent, !rightward, arc.width() - 1 - best_split});
    }
}

}  // namespace plait
