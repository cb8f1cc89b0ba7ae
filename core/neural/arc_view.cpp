#include "core/neural/arc_view.hpp"

#include <algorithm>
#include <cmath>

#include "core/neural/layers.hpp"

namespace plait::neural {

void ArcView::read(const ArcScores& arcs) {
    words_ = arcs.words;
    const std::size_t nodes = words_ + 1;
    shares_.resize(words_ * nodes);
    logarithms_.resize(words_ * nodes);
    absences_.resize(words_ * nodes);
    for (std::size_t i = 0; i < words_; ++i) {
        const float* row = arcs.scores + i * arcs.step;
        const float all = log_sum(row, nodes);
        for (std::size_t head = 0; head < nodes; ++head) {
            // Comparisons with what is no number are false: hostile weights end here.
            const float found = row[head] - all;
            const float logarithm = found > least ? std::min(found, 0.0f) : least;
            logarithms_[i * nodes + head] = logarithm;
            const float share = head == i + 1 ? 0.0f : std::exp(logarithm);
            shares_[i * nodes + head] = share;
            absences_[i * nodes + head] = std::log1p(-std::min(share, 0.9999f));
        }
    }
}

void ArcView::describe(const State& state, float* features) const {
    const Index top = state.stack(0), below = state.stack(1), third = state.stack(2);
    const Index at[places] = {top, below, third, state.buffer(0)};
    for (std::size_t i = 0; i < places; ++i) {
        for (std::size_t j = 0; j < places; ++j) {
            if (i == j) continue;
            *features++ = share(at[i], at[j]);
            *features++ = logarithm(at[i], at[j]) / 5;
        }
    }
    // Words that were swapped are in the buffer again, and are counted there.
    float* in_buffer = features;
    std::fill_n(features, sums, 0.0f);
    for (std::size_t i = 0; i < state.buffer_size(); ++i) {
        const Index word = state.buffer(i);
        for (std::size_t j = 0; j < 3; ++j) {
            in_buffer[j] += share(word, at[j]);      // dependents to come
            in_buffer[3 + j] += share(at[j], word);  // the head to come
        }
        for (std::size_t j = 0; j < 2; ++j) in_buffer[6 + j] += absence(word, at[j]);
    }
    for (std::size_t j = 6; j < 8; ++j) in_buffer[j] = std::max(in_buffer[j], least) / 5;
    float* deep = features + 8;
    for (std::size_t depth = 2; depth < state.stack_size(); ++depth) {
        const Index word = state.stack(depth);
        for (std::size_t j = 0; j < 2; ++j) {
            deep[j] += share(word, at[j]);
            deep[2 + j] += share(at[j], word);
        }
    }
}

}  // namespace plait::neural
