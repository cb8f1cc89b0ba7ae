#include "core/classify.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "core/cancel.hpp"
#include "core/hash.hpp"
#include "core/learn/order.hpp"

namespace plait {

namespace {

void check(const JoinedColumns& joined, std::size_t columns) {
    std::int32_t first = 0;
    for (const std::int32_t end : joined.ends) {
        if (end < first || static_cast<std::size_t>(end) > joined.columns.size()) {
            throw std::invalid_argument("features must end in order");
        }
        first = end;
    }
    for (const std::int32_t column : joined.columns) {
        if (column < 0 || static_cast<std::size_t>(column) >= columns) {
            throw std::invalid_argument("no such column");
        }
    }
}

void hash(const JoinedColumns& joined, std::span<const std::uint32_t> row, std::uint64_t seed,
          std::vector<std::uint64_t>& features) {
    features.clear();
    std::size_t at = 0;
    for (std::size_t i = 0; i < joined.ends.size(); ++i) {
        std::uint64_t feature = mix(seed + i);
        for (; at < static_cast<std::size_t>(joined.ends[i]); ++at) {
            feature = mix(feature ^ row[static_cast<std::size_t>(joined.columns[at])]);
        }
        features.push_back(feature);
    }
}

// Scores the candidates of one example at a time; scratch memory is its own.
template <typename Weights>
class CandidateScorer {
  public:
    CandidateScorer(const ClassifierProgram& program, const Weights& weights)
        : program_(program), weights_(weights), shared_(weights.windows.width() - 1) {}

    void read(const Examples& examples, std::size_t i) {
        program_.extract(examples.values.subspan(i * examples.columns, examples.columns), plain_, seeing_);
        for (const std::uint64_t feature : plain_) {
            __builtin_prefetch(weights_.weights.data() + weights_.windows.cell(feature));
        }
    }

    // The cells of a candidate of the example read last.
    std::span<const std::size_t> cells(ClassId candidate, std::uint32_t sight) {
        cells_.clear();
        const auto number = static_cast<std::size_t>(candidate);
        for (const std::uint64_t feature : plain_) {
            cells_.push_back(weights_.windows.cell(feature) + number);
        }
        for (const std::uint64_t feature : seeing_) {
            const std::size_t cell = weights_.windows.cell(ClassifierProgram::with_sight(feature, sight));
            cells_.push_back(cell + number);
            cells_.push_back(cell + shared_);
        }
        return cells_;
    }

    float score(ClassId candidate, std::uint32_t sight) {
        float sum = 0;
        for (const std::size_t cell : cells(candidate, sight)) {
            sum += static_cast<float>(weights_.weights[cell]);
        }
        return sum;
    }

  private:
    const ClassifierProgram& program_;
    const Weights& weights_;
    std::size_t shared_;
    std::vector<std::uint64_t> plain_, seeing_;
    std::vector<std::size_t> cells_;
};

constexpr float lowest = -std::numeric_limits<float>::infinity();

struct Best {
    std::int64_t place = -1;
    float score = lowest;

    void consider(std::size_t other, float value) {
        if (place < 0 || value > score) {
            place = static_cast<std::int64_t>(other);
            score = value;
        }
    }
};

}  // namespace

ClassifierProgram::ClassifierProgram(JoinedColumns plain, JoinedColumns seeing, std::size_t columns,
                                     std::uint64_t seed)
    : plain_(std::move(plain)), seeing_(std::move(seeing)), columns_(columns), seed_(seed) {
    check(plain_, columns);
    check(seeing_, columns);
}

void ClassifierProgram::extract(std::span<const std::uint32_t> row, std::vector<std::uint64_t>& plain,
                                std::vector<std::uint64_t>& seeing) const {
    hash(plain_, row, mix(seed_), plain);
    hash(seeing_, row, mix(seed_ + 1), seeing);
}

std::uint64_t ClassifierProgram::with_sight(std::uint64_t feature, std::uint32_t sight) {
    return mix(feature ^ sight);
}

template <typename Weights>
std::vector<std::int64_t> classify(const ClassifierProgram& program, const Weights& weights,
                                   const Examples& examples) {
    CandidateScorer<Weights> scorer(program, weights);
    std::vector<std::int64_t> chosen(examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
        check_cancelled();
        scorer.read(examples, i);
        Best best;
        for (std::size_t place = examples.begin(i); place < examples.end(i); ++place) {
            best.consider(place, scorer.score(examples.candidates[place], examples.sights[place]));
        }
        chosen[i] = best.place;
    }
    return chosen;
}

template std::vector<std::int64_t> classify(const ClassifierProgram&, const Kernel&, const Examples&);
template std::vector<std::int64_t> classify(const ClassifierProgram&, const CompactKernel&, const Examples&);

template <typename Weights>
std::vector<float> score_candidates(const ClassifierProgram& program, const Weights& weights,
                                    const Examples& examples) {
    CandidateScorer<Weights> scorer(program, weights);
    std::vector<float> scores;
    scores.reserve(examples.candidates.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
        check_cancelled();
        scorer.read(examples, i);
        for (std::size_t place = examples.begin(i); place < examples.end(i); ++place) {
            scores.push_back(scorer.score(examples.candidates[place], examples.sights[place]));
        }
    }
    return scores;
}

template std::vector<float> score_candidates(const ClassifierProgram&, const Kernel&, const Examples&);
template std::vector<float> score_candidates(const ClassifierProgram&, const CompactKernel&, const Examples&);

std::int64_t ClassLearner::learn(const Examples& examples, std::span<const std::uint8_t> correct,
                                 std::span<const std::int64_t> order) {
    CandidateScorer<Kernel> scorer(program_, kernel_);
    std::int64_t updates = 0;
    each_in_order(order, examples.size(), [&](std::size_t i) {
        averaged_.next_example();
        scorer.read(examples, i);
        Best good, bad;
        for (std::size_t place = examples.begin(i); place < examples.end(i); ++place) {
            (correct[place] ? good : bad)
                .consider(place, scorer.score(examples.candidates[place], examples.sights[place]));
        }
        if (good.place < 0 || bad.place < 0 || good.score - bad.score >= 1) return;
        const float step =
            std::min(longest_step_, (1 - good.score + bad.score) / (2 * static_cast<float>(program_.size())));
        ++updates;
        for (const auto& [best, amount] : {std::pair(good, step), std::pair(bad, -step)}) {
            const auto place = static_cast<std::size_t>(best.place);
            for (const std::size_t cell : scorer.cells(examples.candidates[place], examples.sights[place])) {
                averaged_.add(cell, amount);
            }
        }
    });
    return updates;
}

}  // namespace plait
