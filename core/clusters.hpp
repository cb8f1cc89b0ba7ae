// Brown clusters (Brown et al. 1992, "Class-based n-gram models of natural language", section 3) with a
// window of clusters (Liang 2005, "Semi-supervised learning for natural language", chapter 4).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace plait {

// How often word `first` stands right before word `second`; every pair at most once.
struct Bigram {
    std::int32_t first, second, count;
};

// Two clusters that became one. A cluster is named by one of its words; that of `kept` stays the name.
struct Merge {
    std::int32_t kept, gone;
};

// The clusters at one time, in slots, and what it would cost to merge any two of them: how much the mutual
// information of neighbours would lose, times the number of bigrams. With f(n) = n log n, that information is
// the sum of f over the counts of pairs of clusters, less f over the counts of first and of second clusters,
// and a constant. So a third cluster matters to the cost of a pair only if it stands beside both, and a merge
// changes only pairs with a neighbour of both clusters that are merged.
class ClusterWindow {
  public:
    explicit ClusterWindow(std::size_t slots);

    // A new cluster in a free slot: how often it stands before and after the others, and beside itself.
    void add(std::size_t slot, std::span<const std::int32_t> before, std::span<const std::int32_t> after,
             std::int32_t itself);
    // Puts the cluster of slot b into slot a, and frees b.
    void merge(std::size_t a, std::size_t b);

    struct Pair {
        std::size_t a, b;  // a < b
    };
    // The pair that costs least; of several (but for rounding) the one with the smallest slots.
    Pair cheapest() const;

  private:
    std::int32_t& count(std::size_t first, std::size_t second) { return counts_[first * slots_ + second]; }
    std::int32_t& turned(std::size_t first, std::size_t second) { return turned_[second * slots_ + first]; }
    double& joint(std::size_t a, std::size_t b) {
        return a < b ? joint_[a * slots_ + b] : joint_[b * slots_ + a];
    }
    void set_count(std::size_t first, std::size_t second, std::int32_t value);
    void merge_beside(std::vector<std::int32_t>& matrix, std::size_t a, std::size_t b);
    void refresh_marginals(std::size_t slot);
    void refresh_joint(std::size_t slot);

    std::size_t slots_;
    std::vector<std::uint8_t> used_;
    std::vector<std::int32_t> counts_, turned_;  // of pairs of clusters, by first and by second
    std::vector<std::int64_t> first_, second_;   // how often a cluster is first, and second
    std::vector<double> joint_, marginal_;       // parts of the cost of pairs a < b: marginal - joint
    std::vector<double> row_;
};

// Words are numbered by falling frequency. The first `clusters` words are clusters of their own; then every
// other word becomes one in turn, and the cheapest pair is merged. At last the clusters themselves are
// merged, until one is left. A new word takes the slot of the cluster that went.
class BrownClustering {
  public:
    BrownClustering(std::size_t words, std::span<const Bigram> bigrams, std::size_t clusters);

    // At most so many merges more; whether all are made.
    bool advance(std::size_t merges);
    const std::vector<Merge>& merges() const { return merges_; }

  private:
    void enter(std::int32_t word, std::size_t slot);
    std::size_t slot_of(std::int32_t word);

    std::size_t words_, clusters_, entered_ = 0;
    std::vector<Bigram> by_first_, by_second_;
    std::vector<std::size_t> first_begins_, second_begins_;
    std::vector<std::int32_t> parents_;  // of words: towards the name of their cluster
    std::vector<std::size_t> slots_;     // of names
    std::vector<std::int32_t> names_;    // of slots
    ClusterWindow window_;
    std::vector<Merge> merges_;
};

}  // namespace plait
