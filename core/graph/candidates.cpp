#include "core/graph/candidates.hpp"

#include <algorithm>

namespace plait {

void Candidates::reset(Index words) {
    words_ = words;
    arcs_.clear();
    labels_.clear();
}

void Candidates::add(Index head, Index dependent, std::span<const Label> labels) {
    arcs_.push_back({head, dependent, 0, static_cast<std::uint32_t>(labels_.size()),
                     static_cast<std::uint32_t>(labels.size())});
    labels_.insert(labels_.end(), labels.begin(), labels.end());
}

void Candidates::finish() {
    std::ranges::sort(arcs_, [](const Candidate& one, const Candidate& other) {
        return std::pair(one.dependent, one.head) < std::pair(other.dependent, other.head);
    });
    const std::size_t nodes = at(words_) + 1;
    to_.assign(nodes + 1, 0);
    from_ends_.assign(2 * nodes + 1, 0);
    for (const Candidate& arc : arcs_) {
        ++to_[at(arc.dependent) + 1];
        ++from_ends_[2 * at(arc.head) + arc.rightward() + 1];
    }
    for (std::size_t i = 1; i < to_.size(); ++i) to_[i] += to_[i - 1];
    for (std::size_t i = 1; i < from_ends_.size(); ++i) from_ends_[i] += from_ends_[i - 1];

    from_.resize(arcs_.size());
    std::vector<std::int32_t> filled(2 * nodes, 0);
    const auto place = [&](ArcNumber number) {
        Candidate& arc = arcs_[at(number)];
        const std::size_t list = 2 * at(arc.head) + arc.rightward();
        from_[at(from_ends_[list] + filled[list])] = number;
        arc.rank = ++filled[list];
    };
    const auto count = static_cast<ArcNumber>(arcs_.size());
    for (ArcNumber number = 0; number < count; ++number) {
        if (arcs_[at(number)].rightward()) place(number);
    }
    for (ArcNumber number = count - 1; number >= 0; --number) {
        if (!arcs_[at(number)].rightward()) place(number);
    }
}

ArcNumber Candidates::find(Index head, Index dependent) const {
    const auto [first, last] = to(dependent);
    const auto begin = arcs_.begin();
    const auto found = std::lower_bound(begin + first, begin + last, head,
                                        [](const Candidate& arc, Index wanted) { return arc.head < wanted; });
    return found != begin + last && found->head == head ? static_cast<ArcNumber>(found - begin) : none;
}

std::size_t Candidates::inner_count(ArcNumber number) const {
    const Candidate& arc = arcs_[at(number)];
    const auto all = from(arc.dependent, !arc.rightward());
    const auto end = std::ranges::partition_point(
        all, [&](ArcNumber other) { return arcs_[at(other)].width() < arc.width(); });
    return static_cast<std::size_t>(end - all.begin());
}

}  // namespace plait
