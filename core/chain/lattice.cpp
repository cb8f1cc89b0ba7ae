#include <algorithm>
#include <cmath>
#include <limits>

#include "core/chain/chain.hpp"

namespace plait {

namespace {

// What is this much less likely counts as this likely: no sum over labels is ever zero, whatever the weights.
constexpr double least = -700;

// The logarithms of a row, less its greatest, raised; returns the greatest.
double raise(std::span<const double> logarithms, std::vector<double>& raised) {
    const double top = *std::ranges::max_element(logarithms);
    raised.resize(logarithms.size());
    for (std::size_t y = 0; y < logarithms.size(); ++y) raised[y] = std::exp(logarithms[y] - top);
    return top;
}

struct Cell {
    double score = 0;
    std::int32_t before = 0;
    std::int32_t rank = 0;
};

}  // namespace

ChainLattice::ChainLattice(const ChainShape& shape, std::span<const double> weights)
    : shape_(shape), weights_(weights) {
    raw_.assign(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(shape.pairs()));
    exponentiate(0);
}

void ChainLattice::exponentiate(std::size_t place) {
    const std::size_t pairs = shape_.pairs();
    raised_.resize((place + 1) * pairs);
    highest_.resize(place + 1);
    const auto row = std::span(raw_).subspan(place * pairs, pairs);
    const double top = *std::ranges::max_element(row);
    highest_[place] = top;
    for (std::size_t i = 0; i < pairs; ++i) {
        raised_[place * pairs + i] = std::exp(std::max(row[i] - top, least));
    }
}

void ChainLattice::read(const ChainItems& items, std::size_t i) {
    length_ = items.length(i);
    scores_.assign(length_ * shape_.labels, 0.0);
    place_.assign(length_, 0);
    raw_.resize(shape_.pairs());
    const auto cells = weights_.subspan(shape_.pairs());
    for (std::size_t t = 0; t < length_; ++t) {
        const std::size_t position = items.begin(i) + t;
        double* const row = scores_.data() + t * shape_.labels;
        each_cell(items.begins, items.features, position, shape_.begins, shape_.cells,
                  [&](std::size_t place, std::size_t label) { row[label] += cells[place]; });
        if (t > 0) read_pairs(items, t, position);
    }
}

void ChainLattice::read_pairs(const ChainItems& items, std::size_t t, std::size_t position) {
    if (items.pair_begins[position] == items.pair_begins[position + 1]) return;
    const std::size_t pairs = shape_.pairs();
    place_[t] = raw_.size() / pairs;
    raw_.insert(raw_.end(), weights_.begin(), weights_.begin() + static_cast<std::ptrdiff_t>(pairs));
    double* const own = raw_.data() + place_[t] * pairs;
    const auto cells = weights_.subspan(pairs + shape_.cells.size());
    each_cell(items.pair_begins, items.pair_features, position, shape_.pair_begins, shape_.pair_cells,
              [&](std::size_t place, std::size_t pair) { own[pair] += cells[place]; });
    exponentiate(place_[t]);
}

double ChainLattice::score(std::span<const std::int32_t> labels) const {
    double sum = 0;
    for (std::size_t t = 0; t < length_; ++t) {
        const auto label = static_cast<std::size_t>(labels[t]);
        sum += scores(t)[label];
        if (t > 0) sum += pair_score(t, static_cast<std::size_t>(labels[t - 1]), label);
    }
    return sum;
}

double ChainLattice::sum() {
    const std::size_t labels = shape_.labels;
    forward_.resize(length_ * labels);
    backward_.assign(length_ * labels, 0.0);
    if (length_ == 0) return partition_ = 0;
    std::ranges::copy(scores(0), forward_.begin());
    std::vector<double> next(labels);
    for (std::size_t t = 1; t < length_; ++t) {
        const double* const matrix = raised_.data() + place_[t] * shape_.pairs();
        const double top = raise({forward_.data() + (t - 1) * labels, labels}, left_) + highest_[place_[t]];
        std::ranges::fill(next, 0.0);
        for (std::size_t before = 0; before < labels; ++before) {
            const double amount = left_[before];
            for (std::size_t y = 0; y < labels; ++y) next[y] += amount * matrix[before * labels + y];
        }
        for (std::size_t y = 0; y < labels; ++y) {
            forward_[t * labels + y] = scores(t)[y] + top + std::log(next[y]);
        }
    }
    std::vector<double> ahead(labels);
    for (std::size_t t = length_ - 1; t > 0; --t) {
        const double* const matrix = raised_.data() + place_[t] * shape_.pairs();
        for (std::size_t y = 0; y < labels; ++y) ahead[y] = scores(t)[y] + backward_[t * labels + y];
        const double top = raise(ahead, right_) + highest_[place_[t]];
        for (std::size_t before = 0; before < labels; ++before) {
            double total = 0;
            for (std::size_t y = 0; y < labels; ++y) total += matrix[before * labels + y] * right_[y];
            backward_[(t - 1) * labels + before] = top + std::log(total);
        }
    }
    const double top = raise({forward_.data() + (length_ - 1) * labels, labels}, left_);
    double total = 0;
    for (const double amount : left_) total += amount;
    return partition_ = top + std::log(total);
}

void ChainLattice::probabilities(std::size_t t, std::span<double> found) const {
    const std::size_t labels = shape_.labels;
    for (std::size_t y = 0; y < labels; ++y) {
        found[y] = forward_[t * labels + y] + backward_[t * labels + y];
    }
    raise(found, left_);
    double total = 0;
    for (const double amount : left_) total += amount;
    for (std::size_t y = 0; y < labels; ++y) found[y] = left_[y] / total;
}

void ChainLattice::pair_probabilities(std::size_t t, std::span<double> found) const {
    const std::size_t labels = shape_.labels;
    const double* const matrix = raised_.data() + place_[t] * shape_.pairs();
    raise({forward_.data() + (t - 1) * labels, labels}, left_);
    for (std::size_t y = 0; y < labels; ++y) found[y] = scores(t)[y] + backward_[t * labels + y];
    raise(found.first(labels), right_);
    double total = 0;
    for (std::size_t before = 0; before < labels; ++before) {
        double row = 0;
        for (std::size_t y = 0; y < labels; ++y) {
            const double amount = left_[before] * matrix[before * labels + y] * right_[y];
            found[before * labels + y] = amount;
            row += amount;
        }
        total += row;
    }
    for (double& amount : found) amount /= total;
}

std::vector<ChainPath> ChainLattice::best(std::size_t most) const {
    const std::size_t labels = shape_.labels;
    std::vector<ChainPath> paths;
    if (length_ == 0) return {ChainPath{}};
    // For every position and label the best ways to get there, each with the way it goes on from.
    std::vector<std::vector<Cell>> ways(length_ * labels);
    const auto better = [](const Cell& one, const Cell& other) { return one.score > other.score; };
    for (std::size_t y = 0; y < labels; ++y) ways[y] = {{scores(0)[y], -1, 0}};
    std::vector<Cell> candidates;
    const auto keep = [&](std::vector<Cell>& into) {
        const std::size_t kept = std::min(most, candidates.size());
        std::ranges::stable_sort(candidates, better);
        into.assign(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept));
    };
    for (std::size_t t = 1; t < length_; ++t) {
        for (std::size_t y = 0; y < labels; ++y) {
            std::vector<Cell>& into = ways[t * labels + y];
            candidates.clear();
            for (std::size_t before = 0; before < labels; ++before) {
                const std::vector<Cell>& from = ways[(t - 1) * labels + before];
                const double step = scores(t)[y] + pair_score(t, before, y);
                for (std::size_t rank = 0; rank < from.size(); ++rank) {
                    const Cell cell{from[rank].score + step, static_cast<std::int32_t>(before),
                                    static_cast<std::int32_t>(rank)};
                    // Nearly always one way is asked for: no list is needed then.
                    if (most == 1 && !candidates.empty()) {
                        if (better(cell, candidates[0])) candidates[0] = cell;
                    } else {
                        candidates.push_back(cell);
                    }
                }
            }
            keep(into);
        }
    }
    candidates.clear();
    for (std::size_t y = 0; y < labels; ++y) {
        const std::vector<Cell>& from = ways[(length_ - 1) * labels + y];
        for (std::size_t rank = 0; rank < from.size(); ++rank) {
            candidates.push_back(
                {from[rank].score, static_cast<std::int32_t>(y), static_cast<std::int32_t>(rank)});
        }
    }
    std::vector<Cell> ends;
    keep(ends);
    for (const Cell& end : ends) {
        ChainPath path{std::vector<std::int32_t>(length_), end.score};
        Cell at = end;
        for (std::size_t t = length_; t-- > 0;) {
            path.labels[t] = at.before;
            at = ways[t * labels + static_cast<std::size_t>(at.before)][static_cast<std::size_t>(at.rank)];
        }
        paths.push_back(std::move(path));
    }
    return paths;
}

}  // namespace plait
