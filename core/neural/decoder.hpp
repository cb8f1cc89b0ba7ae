// From what a net has read of a sentence to its trees.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/neural/spanning.hpp"

namespace plait::neural {

// Of one sentence: the vectors of its words after the last layer, and the scores of its arcs.
struct Reading {
    const float* vectors;
    std::size_t width;
    ArcScores arcs;
};

// Trees of one sentence, the best first; none twice.
struct Trees {
    std::vector<std::int32_t> heads;  // one tree after the other
    std::vector<double> scores;

    std::size_t size() const { return scores.size(); }
    std::span<const std::int32_t> tree(std::size_t rank, std::size_t words) const {
        return std::span(heads).subspan(rank * words, words);
    }
    void add(std::span<const std::int32_t> tree, double score) {
        heads.insert(heads.end(), tree.begin(), tree.end());
        scores.push_back(score);
    }
};

// The best spanning trees, as `best_tree` finds the first; at most `count`. Scores are sums of those of arcs,
// less the price for those that cross or had to pay when the first tree was sought: no tree is better than
// the first.
Trees best_trees(Arcs& arcs, double price, std::size_t count);

class Decoder {
  public:
    explicit Decoder(double price) : price_(price) {}
    virtual ~Decoder() = default;

    // At most `best` trees, at least one. Where `given` has a head and not -1, that is the head.
    virtual Trees decode(const Reading& reading, std::span<const std::int32_t> given,
                         std::size_t best) const = 0;
    // Of sentences that are too long to be read at once.
    Trees span(Arcs& arcs, std::size_t best) const { return best_trees(arcs, price_, best); }

  protected:
    double price_;
};

// Spanning trees; their scores are logarithms of probabilities, less prices.
class TreeDecoder : public Decoder {
  public:
    using Decoder::Decoder;
    Trees decode(const Reading& reading, std::span<const std::int32_t> given,
                 std::size_t best) const override;
};

}  // namespace plait::neural
