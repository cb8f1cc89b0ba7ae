#include "core/lift/tree.hpp"

#include <algorithm>

#include "core/hash.hpp"

namespace plait {

std::vector<Index> lifting_order(const OrderTree& tree, bool reversed) {
    const auto nodes = static_cast<std::size_t>(tree.words()) + 1;
    std::vector<Index> depths(nodes, 0), order;
    std::vector<std::uint64_t> paths(nodes, 0);
    for (const Index node : tree.downwards()) {
        if (node == 0) continue;
        const auto at = static_cast<std::size_t>(node), above = static_cast<std::size_t>(tree.head(node));
        depths[at] = depths[above] + 1;
        paths[at] = mix(join(paths[above], tree.content(node)));
        order.push_back(node);
    }
    std::ranges::stable_sort(order, [&](Index one, Index other) {
        const auto a = static_cast<std::size_t>(one), b = static_cast<std::size_t>(other);
        if (depths[a] != depths[b]) return depths[a] > depths[b];
        return reversed ? paths[a] > paths[b] : paths[a] < paths[b];
    });
    return order;
}

void LiftedTree::read(std::span<const Index> heads, std::span<const Index> order) {
    const std::size_t nodes = heads.size() + 1;
    heads_.assign(nodes, none);
    starts_.assign(nodes + 1, 0);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        heads_[i + 1] = heads[i];
        ++starts_[static_cast<std::size_t>(heads[i]) + 1];
    }
    for (std::size_t i = 0; i < nodes; ++i) starts_[i + 1] += starts_[i];
    children_.resize(heads.size());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for (const Index word : order) {
        children_[next[static_cast<std::size_t>(heads[static_cast<std::size_t>(word - 1)])]++] = word;
    }
}

Index LiftedTree::size(Index node) const {
    Index size = 0;
    stack_.assign(1, node);
    while (!stack_.empty()) {
        const Index top = stack_.back();
        stack_.pop_back();
        ++size;
        stack_.insert(stack_.end(), children(top).begin(), children(top).end());
    }
    return size;
}

}  // namespace plait
