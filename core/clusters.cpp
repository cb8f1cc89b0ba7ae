#include "core/clusters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace plait {

namespace {

constexpr std::size_t tabled = 1 << 14;
constexpr double rounding = 1e-6;  // costs that differ by less are the same

const std::vector<double> of_small = [] {
    std::vector<double> values(tabled, 0.0);
    for (std::size_t n = 2; n < tabled; ++n) values[n] = static_cast<double>(n) * std::log(n);
    return values;
}();

template <typename Count>
double f(Count n) {
    const auto i = static_cast<std::size_t>(n);
    return i < tabled ? of_small[i] : static_cast<double>(n) * std::log(static_cast<double>(n));
}

// What f gains when two counts become one.
template <typename Count>
double gain(Count m, Count n) {
    return m == 0 || n == 0 ? 0.0 : f(m + n) - f(m) - f(n);
}

}  // namespace

ClusterWindow::ClusterWindow(std::size_t slots)
    : slots_(slots),
      used_(slots, 0),
      counts_(slots * slots, 0),
      turned_(slots * slots, 0),
      first_(slots, 0),
      second_(slots, 0),
      joint_(slots * slots, 0.0),
      marginal_(slots * slots, 0.0),
      row_(slots, 0.0) {}

void ClusterWindow::add(std::size_t slot, std::span<const std::int32_t> before,
                        std::span<const std::int32_t> after, std::int32_t itself) {
    std::vector<std::size_t> beside;
    for (const auto& others : {after, before}) {  // those that stand before the new one, then those after it
        beside.clear();
        for (std::size_t c = 0; c < slots_; ++c) {
            if (others[c] != 0) beside.push_back(c);
        }
        for (std::size_t i = 0; i < beside.size(); ++i) {
            for (std::size_t j = i + 1; j < beside.size(); ++j) {
                joint(beside[i], beside[j]) += gain(others[beside[i]], others[beside[j]]);
            }
        }
    }
    used_[slot] = 1;
    set_count(slot, slot, itself);
    first_[slot] = second_[slot] = itself;
    for (std::size_t c = 0; c < slots_; ++c) {
        if (before[c] == 0 && after[c] == 0) continue;
        set_count(slot, c, before[c]);
        set_count(c, slot, after[c]);
        first_[slot] += before[c];
        second_[c] += before[c];
        first_[c] += after[c];
        second_[slot] += after[c];
    }
    for (std::size_t c = 0; c < slots_; ++c) {
        if (before[c] != 0 || after[c] != 0) refresh_marginals(c);
    }
    refresh_marginals(slot);
    refresh_joint(slot);
}

void ClusterWindow::merge(std::size_t a, std::size_t b) {
    merge_beside(turned_, a, b);
    merge_beside(counts_, a, b);
    const std::int32_t inside = count(a, a) + count(a, b) + count(b, a) + count(b, b);
    for (std::size_t c = 0; c < slots_; ++c) {
        if (c == a || c == b) continue;
        set_count(a, c, count(a, c) + count(b, c));
        set_count(c, a, count(c, a) + count(c, b));
        set_count(b, c, 0);
        set_count(c, b, 0);
        joint(b, c) = 0;
    }
    set_count(a, a, inside);
    set_count(a, b, 0);
    set_count(b, a, 0);
    set_count(b, b, 0);
    joint(a, b) = 0;
    first_[a] += first_[b];
    second_[a] += second_[b];
    first_[b] = second_[b] = 0;
    used_[b] = 0;
    refresh_marginals(a);
    refresh_joint(a);
}

ClusterWindow::Pair ClusterWindow::cheapest() const {
    Pair best{0, 0};
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < slots_; ++a) {
        if (!used_[a]) continue;
        const double* marginal = &marginal_[a * slots_];
        const double* joint = &joint_[a * slots_];
        for (std::size_t b = a + 1; b < slots_; ++b) {
            const double cost = marginal[b] - joint[b];
            if (cost < least - rounding && used_[b]) {
                least = cost;
                best = {a, b};
            }
        }
    }
    return best;
}

void ClusterWindow::set_count(std::size_t first, std::size_t second, std::int32_t value) {
    count(first, second) = value;
    turned(first, second) = value;
}

// The pairs among the others, of which one at least stands beside each of a and b, on the side that `matrix`
// has in its rows.
void ClusterWindow::merge_beside(std::vector<std::int32_t>& matrix, std::size_t a, std::size_t b) {
    const std::int32_t* with_a = &matrix[a * slots_];
    const std::int32_t* with_b = &matrix[b * slots_];
    std::vector<std::size_t> of_a, of_b;
    for (std::size_t c = 0; c < slots_; ++c) {
        if (c == a || c == b) continue;
        if (with_a[c] != 0) of_a.push_back(c);
        if (with_b[c] != 0) of_b.push_back(c);
    }
    if (of_a.size() < of_b.size()) {
        std::swap(of_a, of_b);
        std::swap(with_a, with_b);
    }
    // Pairs (c, d): c stands beside b; d beside a, b or both. Those of two neighbours of b are met twice.
    for (const std::size_t c : of_b) {
        const double changed = f(with_a[c] + with_b[c]);
        const auto change = [&](std::size_t d) {
            const double gained =
                f(with_a[c] + with_b[c] + with_a[d] + with_b[d]) - changed - f(with_a[d] + with_b[d]);
            joint(c, d) += gained - gain(with_a[c], with_a[d]) - gain(with_b[c], with_b[d]);
        };
        for (const std::size_t d : of_a) {
            if (with_b[d] == 0) change(d);
        }
        for (const std::size_t d : of_b) {
            if (d < c) change(d);
        }
    }
}

void ClusterWindow::refresh_marginals(std::size_t slot) {
    for (std::size_t c = 0; c < slots_; ++c) {
        if (c == slot || !used_[c]) continue;
        const double cost = gain(first_[slot], first_[c]) + gain(second_[slot], second_[c]);
        marginal_[std::min(slot, c) * slots_ + std::max(slot, c)] = cost;
    }
}

void ClusterWindow::refresh_joint(std::size_t slot) {
    std::ranges::fill(row_, 0.0);
    for (std::size_t d = 0; d < slots_; ++d) {
        if (d == slot) continue;
        // Clusters that stand before d, as the one in the slot does; then those that stand after it.
        for (const auto& [own, others] : {std::pair(count(slot, d), &turned_[d * slots_]),
                                          std::pair(count(d, slot), &counts_[d * slots_])}) {
            if (own == 0) continue;
            const double alone = f(own);
            for (std::size_t c = 0; c < slots_; ++c) {
                if (others[c] != 0 && c != d) row_[c] += f(own + others[c]) - alone - f(others[c]);
            }
        }
    }
    for (std::size_t c = 0; c < slots_; ++c) {
        if (c == slot || !used_[c]) continue;
        const std::array<std::int32_t, 4> block{count(slot, slot), count(slot, c), count(c, slot),
                                                count(c, c)};
        double inside = f(block[0] + block[1] + block[2] + block[3]);
        for (const std::int32_t part : block) inside -= f(part);
        joint(slot, c) = row_[c] + inside;
    }
}

BrownClustering::BrownClustering(std::size_t words, std::span<const Bigram> bigrams, std::size_t clusters)
    : words_(words),
      clusters_(std::min(clusters, words)),
      by_first_(bigrams.begin(), bigrams.end()),
      by_second_(by_first_),
      first_begins_(words + 1, 0),
      second_begins_(words + 1, 0),
      parents_(words),
      slots_(words, 0),
      names_(clusters_ + 1, -1),
      window_(clusters_ + 1) {
    std::int64_t total = 0;
    for (const Bigram& bigram : bigrams) {
        for (const std::int32_t word : {bigram.first, bigram.second}) {
            if (word < 0 || static_cast<std::size_t>(word) >= words)
                throw std::invalid_argument("no such word");
        }
        if (bigram.count < 1) throw std::invalid_argument("counts begin at 1");
        total += bigram.count;
        ++first_begins_[static_cast<std::size_t>(bigram.first) + 1];
        ++second_begins_[static_cast<std::size_t>(bigram.second) + 1];
    }
    if (total > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("there is too much text");
    for (std::size_t i = 0; i < words; ++i) {
        first_begins_[i + 1] += first_begins_[i];
        second_begins_[i + 1] += second_begins_[i];
        parents_[i] = static_cast<std::int32_t>(i);
    }
    std::ranges::stable_sort(by_first_, {}, &Bigram::first);
    std::ranges::stable_sort(by_second_, {}, &Bigram::second);
    for (; entered_ < clusters_; ++entered_) enter(static_cast<std::int32_t>(entered_), entered_);
}

bool BrownClustering::advance(std::size_t merges) {
    std::size_t free = clusters_;
    if (!merges_.empty()) free = slots_[static_cast<std::size_t>(merges_.back().gone)];
    for (; merges > 0 && merges_.size() + 1 < words_; --merges) {
        if (entered_ < words_) enter(static_cast<std::int32_t>(entered_++), free);
        const auto [a, b] = window_.cheapest();
        window_.merge(a, b);
        parents_[static_cast<std::size_t>(names_[b])] = names_[a];
        merges_.push_back({names_[a], names_[b]});
        free = b;
    }
    return merges_.size() + 1 >= words_;
}

void BrownClustering::enter(std::int32_t word, std::size_t slot) {
    std::vector<std::int32_t> before(clusters_ + 1, 0), after(clusters_ + 1, 0);
    std::int32_t itself = 0;
    const auto number = static_cast<std::size_t>(word);
    for (std::size_t i = first_begins_[number]; i < first_begins_[number + 1]; ++i) {
        const std::int32_t other = by_first_[i].second;
        if (other < word) before[slot_of(other)] += by_first_[i].count;
        if (other == word) itself = by_first_[i].count;
    }
    for (std::size_t i = second_begins_[number]; i < second_begins_[number + 1]; ++i) {
        const std::int32_t other = by_second_[i].first;
        if (other < word) after[slot_of(other)] += by_second_[i].count;
    }
    slots_[number] = slot;
    names_[slot] = word;
    window_.add(slot, before, after, itself);
}

std::size_t BrownClustering::slot_of(std::int32_t word) {
    std::int32_t name = word;
    while (parents_[static_cast<std::size_t>(name)] != name) name = parents_[static_cast<std::size_t>(name)];
    while (parents_[static_cast<std::size_t>(word)] != name) {
        const std::int32_t next = parents_[static_cast<std::size_t>(word)];
        parents_[static_cast<std::size_t>(word)] = name;
        word = next;
    }
    return slots_[static_cast<std::size_t>(name)];
}

}  // namespace plait
