// From scores of arcs to a tree with one root: Chu and Liu (1965), Edmonds (1967).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace plait::neural {

// Scores of arcs, word - 1 by head 0..n, rows `step` apart.
struct ArcScores {
    const float* scores;
    std::size_t step;
    std::size_t words;
};

// Arcs of which a tree is made: for every word the heads that it may have, the root always among them.
class Arcs {
  public:
    struct Arc {
        std::uint32_t word, head;
        float plain;
        double score;  // that of the search: within bounds, with rewards and prices
    };

    // The next word: scores of the root and of `count` words from `first` (counted from 1) on. Of more than
    // 48 words the 16 best heads are taken, and the neighbours, so that there always is a tree. A head that
    // is given, or -1, is among them in any case.
    void add_word(const float* scores, std::size_t first, std::size_t count, std::int32_t given);

    std::size_t words() const { return ends_.size() - 1; }
    std::span<Arc> of(std::size_t word) {
        return std::span(arcs_).subspan(ends_[word - 1], ends_[word] - ends_[word - 1]);
    }
    std::span<Arc> all() { return arcs_; }
    // Minus infinity if there is no such arc.
    float score(std::size_t word, std::int32_t head);

  private:
    void add(std::size_t head, float score, std::int32_t given);
    void find_best(std::span<const float> scores);

    std::vector<Arc> arcs_;
    std::vector<std::size_t> ends_{0};
    std::vector<std::uint32_t> order_;
};

// The heads of the best tree into `heads`. An arc that crosses others pays `price`: it must be better by that
// much than what else there is. Given heads, which the arcs know, stay.
void best_tree(Arcs& arcs, double price, std::span<std::int32_t> heads);

// The same, where `given` is empty or has a head or -1 for every word.
void best_tree(const ArcScores& scores, double price, std::span<const std::int32_t> given,
               std::span<std::int32_t> heads);

}  // namespace plait::neural
