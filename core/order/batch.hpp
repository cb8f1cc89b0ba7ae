// Many trees at once, over threads: the result is the same on any number of them.
#pragma once

#include <atomic>

#include "core/order/sentence.hpp"
#include "core/threads.hpp"

namespace plait {

struct UnorderedTrees {
    std::span<const std::uint32_t> values;  // row by row
    std::size_t columns = 0;
    std::span<const std::int64_t> offsets;
    std::span<const Index> heads;
    std::span<const std::int32_t> fixed;  // or empty

    std::size_t size() const { return offsets.size() - 1; }
    std::span<const Index> tree_heads(std::size_t i) const {
        return heads.subspan(static_cast<std::size_t>(offsets[i]),
                             static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
    }
    void read(const OrderSigns& signs, std::size_t i, OrderTree& tree) const {
        const auto begin = static_cast<std::size_t>(offsets[i]);
        const std::size_t length = static_cast<std::size_t>(offsets[i + 1]) - begin;
        tree.read(signs, values.subspan(begin * columns, length * columns), columns,
                  heads.subspan(begin, length), fixed.empty() ? fixed : fixed.subspan(begin, length));
    }
};

template <typename Weights>
std::vector<std::vector<SentenceOrder>> order_trees(const OrderProgram& program, const Weights& weights,
                                                    const UnorderedTrees& trees, std::size_t beam,
                                                    std::size_t best, int threads) {
    std::vector<std::vector<SentenceOrder>> found(trees.size());
    std::atomic<std::size_t> next{0};
    on_threads(threads, [&] {
        SentenceSearch<Weights> search(program, weights, beam);
        OrderTree tree;
        for (std::size_t i = next++; i < trees.size(); i = next++) {
            trees.read(program.signs(), i, tree);
            found[i] = search.run(tree, best);
        }
    });
    return found;
}

}  // namespace plait
