// A dependency tree over words 1..n with the artificial root 0, and what one traversal of it tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plait {

using Index = std::int32_t;

// A batch of trees as two arrays: the heads of all words, one tree after the other, and where each begins.
struct Forest {
    std::span<const Index> heads;
    std::span<const std::int64_t> offsets;  // one more than there are trees

    std::size_t size() const { return offsets.size() - 1; }
    std::span<const Index> tree(std::size_t i) const {
        const auto begin = static_cast<std::size_t>(offsets[i]);
        return heads.subspan(begin, static_cast<std::size_t>(offsets[i + 1]) - begin);
    }
};

// The first word whose head is not a node of the sentence, or the smallest word on a cycle; 0 if neither.
Index first_fault(std::span<const Index> heads);

// std::invalid_argument if the heads are not a tree; `number` is that of the tree, for the message.
void require_tree(std::span<const Index> heads, std::size_t number);

// Dominance and dependents, built once per tree. The heads must form a tree (first_fault == 0).
// Nothing here recurses: a sentence of any length and depth is safe.
class Tree {
  public:
    explicit Tree(std::span<const Index> heads);

    Index size() const { return static_cast<Index>(heads_.size()); }
    Index head(Index word) const { return heads_[at(word - 1)]; }
    Index depth(Index node) const { return depth_[at(node)]; }

    // The dependents of a node in the order of the sentence.
    std::span<const Index> dependents(Index node) const {
        return std::span(dependents_)
            .subspan(at(first_[at(node)]), at(first_[at(node) + 1] - first_[at(node)]));
    }

    // The nodes from the root down, every head before its dependents.
    std::span<const Index> topdown() const { return topdown_; }

    // Reflexive: a node dominates itself.
    bool dominates(Index above, Index below) const {
        return enter_[at(above)] <= enter_[at(below)] && enter_[at(below)] < leave_[at(above)];
    }

  private:
    static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

    std::span<const Index> heads_;
    std::vector<Index> first_, dependents_, topdown_, enter_, leave_, depth_;
};

}  // namespace plait
