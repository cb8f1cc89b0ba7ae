// Choosing one of several candidates for an example on its own (an edit script for a word, say), with the
// hash kernel. An example has values in columns; a candidate is a class, and the sight one has of it there:
// what is known about this class for this example.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/kernel.hpp"

namespace plait {

using ClassId = std::int32_t;

// Examples one after the other; example i has the candidates offsets[i] to offsets[i + 1].
struct Examples {
    std::span<const std::uint32_t> values;  // row by row
    std::size_t columns = 0;
    std::span<const std::int64_t> offsets;
    std::span<const ClassId> candidates;
    std::span<const std::uint32_t> sights;

    std::size_t size() const { return offsets.size() - 1; }
    std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(offsets[i]); }
    std::size_t end(std::size_t i) const { return static_cast<std::size_t>(offsets[i + 1]); }
};

// Which columns a feature joins.
struct JoinedColumns {
    std::vector<std::int32_t> columns;
    std::vector<std::int32_t> ends;  // of every feature, in `columns`
};

// Features of an example, and those that see the candidate too. The latter have a weight for the class and
// one that all classes share: a good sight may be good whatever the class.
class ClassifierProgram {
  public:
    ClassifierProgram(JoinedColumns plain, JoinedColumns seeing, std::size_t columns, std::uint64_t seed);

    std::size_t columns() const { return columns_; }
    std::size_t size() const { return plain_.ends.size() + 2 * seeing_.ends.size(); }

    // Hashes of the features of a row; those that see candidates are completed by `with_sight`.
    void extract(std::span<const std::uint32_t> row, std::vector<std::uint64_t>& plain,
                 std::vector<std::uint64_t>& seeing) const;
    static std::uint64_t with_sight(std::uint64_t feature, std::uint32_t sight);

  private:
    JoinedColumns plain_, seeing_;
    std::size_t columns_;
    std::uint64_t seed_;
};

// The best candidate of every example, as its place in the list of candidates; the first of several. An
// example without candidates has -1. `Weights` have one class more than there are: the shared one.
template <typename Weights>
std::vector<std::int64_t> classify(const ClassifierProgram& program, const Weights& weights,
                                   const Examples& examples);

// The scores of all candidates, in their order.
template <typename Weights>
std::vector<float> score_candidates(const ClassifierProgram& program, const Weights& weights,
                                    const Examples& examples);

// Learns from the correct candidate that scores best, as in core/learn/greedy.hpp, with passive-aggressive
// steps (Crammer et al. 2006) up to `longest_step`.
class ClassLearner {
  public:
    ClassLearner(const ClassifierProgram& program, int bits, std::size_t classes, float longest_step)
        : program_(program), kernel_(bits, classes + 1), averaged_(kernel_), longest_step_(longest_step) {}
    ClassLearner(const ClassLearner&) = delete;
    ClassLearner& operator=(const ClassLearner&) = delete;

    const ClassifierProgram& program() const { return program_; }
    std::size_t width() const { return kernel_.windows.width(); }
    const Averaged& averaged() const { return averaged_; }
    Averaged& averaged() { return averaged_; }

    // One pass over the examples named in `order`; `correct` has a flag for every candidate. Returns the
    // number of updates.
    std::int64_t learn(const Examples& examples, std::span<const std::uint8_t> correct,
                       std::span<const std::int64_t> order);

  private:
    const ClassifierProgram program_;
    Kernel kernel_;
    Averaged averaged_;
    float longest_step_;
};

}  // namespace plait
