// Linear-chain conditional random fields (Lafferty, McCallum and Pereira 2001): the score of a sequence of
// labels is the sum of weights of features of each label, of pairs of neighbouring labels, and of features
// that see such a pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plait {

// Which labels, and which pairs of labels, a feature has weights for. The weights stand one after the other:
// those of all pairs of labels, then of the cells of features, then of features that see pairs.
struct ChainShape {
    std::size_t labels = 0;
    std::vector<std::int64_t> begins;  // of every feature, in `cells`, and the end of the last
    std::vector<std::int32_t> cells;   // a label each
    std::vector<std::int64_t> pair_begins;
    std::vector<std::int32_t> pair_cells;  // the label before * labels + the label

    std::size_t pairs() const { return labels * labels; }
    std::size_t size() const { return pairs() + cells.size() + pair_cells.size(); }
};

// Sequences of positions, and the features that hold at each, by their numbers.
struct ChainItems {
    std::span<const std::int64_t> offsets;  // of sequences, in positions
    std::span<const std::int64_t> begins;   // of positions, in `features`
    std::span<const std::int32_t> features;
    std::span<const std::int64_t> pair_begins;
    std::span<const std::int32_t> pair_features;

    std::size_t size() const { return offsets.size() - 1; }
    std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(offsets[i]); }
    std::size_t length(std::size_t i) const { return static_cast<std::size_t>(offsets[i + 1] - offsets[i]); }
};

// The cells of the features of a position: `use(place among the cells, cell)`.
template <typename Use>
void each_cell(std::span<const std::int64_t> positions, std::span<const std::int32_t> features,
               std::size_t at, std::span<const std::int64_t> begins, std::span<const std::int32_t> cells,
               Use use) {
    for (auto f = static_cast<std::size_t>(positions[at]); f < static_cast<std::size_t>(positions[at + 1]);
         ++f) {
        const auto feature = static_cast<std::size_t>(features[f]);
        const auto end = static_cast<std::size_t>(begins[feature + 1]);
        for (auto c = static_cast<std::size_t>(begins[feature]); c < end; ++c) {
            use(c, static_cast<std::size_t>(cells[c]));
        }
    }
}

// One of the best sequences of labels.
struct ChainPath {
    std::vector<std::int32_t> labels;
    double score = 0;
};

// The scores of one sequence at a time, and all that is computed from them; scratch memory is its own.
class ChainLattice {
  public:
    ChainLattice(const ChainShape& shape, std::span<const double> weights);

    void read(const ChainItems& items, std::size_t i);
    std::size_t length() const { return length_; }
    std::span<const double> scores(std::size_t t) const {
        return {scores_.data() + t * shape_.labels, shape_.labels};
    }
    double pair_score(std::size_t t, std::size_t before, std::size_t label) const {
        return raw_[place_[t] * shape_.pairs() + before * shape_.labels + label];
    }

    // The score of a sequence of labels.
    double score(std::span<const std::int32_t> labels) const;

    // Forward and backward sums; what follows needs them. Returns the logarithm of the sum over all
    // sequences.
    double sum();
    // The probability of each label at a position, and of each pair of labels there and at the position
    // before.
    void probabilities(std::size_t t, std::span<double> found) const;
    void pair_probabilities(std::size_t t, std::span<double> found) const;

    // The best sequences, the best first; of several that are equal, the one whose labels come first.
    std::vector<ChainPath> best(std::size_t most) const;

  private:
    void read_pairs(const ChainItems& items, std::size_t t, std::size_t position);
    void exponentiate(std::size_t place);

    const ChainShape& shape_;
    std::span<const double> weights_;
    std::size_t length_ = 0;
    double partition_ = 0;
    std::vector<double> scores_;                  // position by position
    std::vector<std::size_t> place_;              // of every position: which of the matrices below
    std::vector<double> raw_, raised_, highest_;  // scores of pairs; exp(score - highest); the highest
    std::vector<double> forward_, backward_;      // logarithms
    mutable std::vector<double> left_, right_;
};

// Minus the logarithm of the probability of the correct labels, summed over the sequences, and its gradient.
double chain_loss(const ChainShape& shape, std::span<const double> weights, const ChainItems& items,
                  std::span<const std::int32_t> gold, std::span<double> gradient);

struct ChainFit {
    std::vector<double> weights;
    double loss = 0;  // with the penalty
    int iterations = 0;
    int evaluations = 0;
};

// The weights with the least loss + l2 / 2 * their squares (Sha and Pereira 2003), by L-BFGS from zero. It
// ends when ten iterations have gained less than `tolerance` of the loss, or after `iterations`.
ChainFit fit_chain(const ChainShape& shape, const ChainItems& items, std::span<const std::int32_t> gold,
                   double l2, int iterations, double tolerance);

}  // namespace plait
