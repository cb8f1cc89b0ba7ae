#include "core/tree.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace plait {

Index first_fault(std::span<const Index> heads) {
    const auto n = static_cast<Index>(heads.size());
    for (Index word = 1; word <= n; ++word) {
        const Index head = heads[static_cast<std::size_t>(word - 1)];
        if (head < 0 || head > n) return word;
    }
    // Walk up from every word; a walk that meets its own trace has found a cycle.
    std::vector<Index> walk(heads.size() + 1, 0);
    for (Index word = 1; word <= n; ++word) {
        Index node = word;
        while (node != 0 && walk[static_cast<std::size_t>(node)] == 0) {
            walk[static_cast<std::size_t>(node)] = word;
            node = heads[static_cast<std::size_t>(node - 1)];
        }
        if (node == 0 || walk[static_cast<std::size_t>(node)] != word) continue;
        Index smallest = node;
        for (Index on = heads[static_cast<std::size_t>(node - 1)]; on != node;
             on = heads[static_cast<std::size_t>(on - 1)]) {
            smallest = std::min(smallest, on);
        }
        return smallest;
    }
    return 0;
}

void require_tree(std::span<const Index> heads, std::size_t number) {
    if (first_fault(heads) != 0) {
        throw std::invalid_argument("tree " + std::to_string(number) + " is not a tree");
    }
}

Tree::Tree(std::span<const Index> heads) : heads_(heads) {
    const std::size_t nodes = heads.size() + 1;
    first_.assign(nodes + 1, 0);
    for (const Index head : heads) ++first_[at(head) + 1];
    for (std::size_t node = 0; node < nodes; ++node) first_[node + 1] += first_[node];
    dependents_.resize(heads.size());
    std::vector<Index> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        dependents_[at(next[at(heads[i])]++)] = static_cast<Index>(i + 1);
    }

    depth_.assign(nodes, 0);
    enter_.assign(nodes, 0);
    leave_.assign(nodes, 0);
    topdown_.reserve(nodes);
    std::vector<Index> pending{0};
    while (!pending.empty()) {
        const Index node = pending.back();
        pending.pop_back();
        enter_[at(node)] = static_cast<Index>(topdown_.size());
        topdown_.push_back(node);
        for (const Index dependent : dependents(node)) {
            depth_[at(dependent)] = depth_[at(node)] + 1;
            pending.push_back(dependent);
        }
    }
    // topdown_ is a preorder, so a subtree is a run of it: its length is 1 + the lengths of the dependents'.
    std::vector<Index> extent(nodes, 1);
    for (std::size_t i = nodes; i-- > 1;) {
        const Index node = topdown_[i];
        extent[at(head(node))] += extent[at(node)];
    }
    for (std::size_t node = 0; node < nodes; ++node) leave_[node] = enter_[node] + extent[node];
}

}  // namespace plait
