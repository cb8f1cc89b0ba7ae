#include "core/nonprojectivity.hpp"

#include <algorithm>

#include "core/cancel.hpp"

namespace plait {

void edge_degrees(const Tree& tree, std::span<Index> degree) {
    for (Index word = 1; word <= tree.size(); ++word) {
        check_cancelled();
        const Index head = tree.head(word);
        const Index low = std::min(head, word), high = std::max(head, word);
        Index pieces = 0;
        for (Index between = low + 1; between < high; ++between) {
            const Index above = tree.head(between);
            const bool top_of_piece = above <= low || above >= high;
            if (top_of_piece && !tree.dominates(head, between)) ++pieces;
        }
        degree[static_cast<std::size_t>(word - 1)] = pieces;
    }
}

void gap_degrees(const Tree& tree, std::span<Index> degree) {
    const Index n = tree.size();
    std::fill(degree.begin(), degree.end(), -1);  // one block is no gap
    // Word w opens a new block in every subtree that holds w but not w - 1: the nodes from w up to, but
    // without, the lowest common ancestor of the two. Add 1 at w, take it back there, and sum upwards.
    for (Index word = 1; word <= n; ++word) {
        check_cancelled();
        ++degree[static_cast<std::size_t>(word - 1)];
        Index left = word - 1, right = word;
        while (left != right) {
            if (tree.depth(left) < tree.depth(right)) {
                right = tree.head(right);
            } else {
                left = tree.head(left);
            }
        }
        if (left != 0) --degree[static_cast<std::size_t>(left - 1)];
    }
    const auto topdown = tree.topdown();
    for (std::size_t i = topdown.size(); i-- > 1;) {
        const Index node = topdown[i], head = tree.head(node);
        if (head != 0)
            degree[static_cast<std::size_t>(head - 1)] += degree[static_cast<std::size_t>(node - 1)] + 1;
    }
}

std::int64_t crossing_pairs(const Tree& tree) {
    std::int64_t pairs = 0;
    for (Index first = 1; first <= tree.size(); ++first) {
        check_cancelled();
        const Index low = std::min(first, tree.head(first)), high = std::max(first, tree.head(first));
        for (Index second = first + 1; second <= tree.size(); ++second) {
            const Index from = std::min(second, tree.head(second)), to = std::max(second, tree.head(second));
            pairs += (low < from && from < high && high < to) || (from < low && low < to && to < high);
        }
    }
    return pairs;
}

namespace {

// Two sets of positions, each an ordered list: does their merge change hands at least three times?
bool interleave(std::span<const Index> one, std::span<const Index> other) {
    int changes = -1, last = -1;
    std::size_t i = 0, j = 0;
    while (i < one.size() || j < other.size()) {
        const bool take_one = j == other.size() || (i < one.size() && one[i] < other[j]);
        const int owner = take_one ? 0 : 1;
        take_one ? ++i : ++j;
        if (owner != last) {
            last = owner;
            if (++changes == 3) return true;
        }
    }
    return false;
}

}  // namespace

bool well_nested(const Tree& tree) {
    const Index n = tree.size();
    std::vector<Index> gaps(static_cast<std::size_t>(n));
    gap_degrees(tree, gaps);
    // Subtrees that interleave both have a gap, so only such subtrees need comparing.
    std::vector<Index> nodes;
    std::vector<std::vector<Index>> yields;
    for (Index node = 1; node <= n; ++node) {
        check_cancelled();
        if (gaps[static_cast<std::size_t>(node - 1)] == 0) continue;
        std::vector<Index> yield;
        for (Index word = 1; word <= n; ++word) {
            if (tree.dominates(node, word)) yield.push_back(word);
        }
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            check_cancelled();
            if (tree.dominates(nodes[i], node) || tree.dominates(node, nodes[i])) continue;
            if (interleave(yields[i], yield)) return false;
        }
        nodes.push_back(node);
        yields.push_back(std::move(yield));
    }
    return true;
}

}  // namespace plait
