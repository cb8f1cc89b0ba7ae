#include "core/grow/graph.hpp"

#include <algorithm>
#include <tuple>

#include "core/features.hpp"
#include "core/hash.hpp"

namespace plait {

namespace {

std::uint32_t folded(std::uint64_t hash) { return static_cast<std::uint32_t>(mix(hash) >> 32); }

std::uint64_t step_hash(std::uint32_t label, bool down) { return mix(2 * std::uint64_t{label} + down); }

}  // namespace

void MeaningGraph::read(std::span<const std::uint32_t> values, std::size_t columns,
                        std::span<const std::uint8_t> said, std::span<const MeaningEdge> edges) {
    const std::size_t nodes = said.size() + 1;
    said_.assign(nodes, 0);
    std::ranges::copy(said, said_.begin() + 1);
    width_ = columns + meaning_shapes;
    cells_.assign(nodes * width_, root_value);
    for (std::size_t i = 1; i < nodes; ++i) {
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>((i - 1) * columns), columns,
                    cells_.begin() + static_cast<std::ptrdiff_t>(i * width_));
    }
    link(edges);
    shape(columns);
    rank(columns);
    ways_.assign(nodes * nodes * way_facts, 0);
    for (std::size_t i = 0; i < nodes * way_facts; ++i) ways_[i] = root_value;  // of the root
    for (const Index node : words_) find_ways(node);
}

void MeaningGraph::link(std::span<const MeaningEdge> edges) {
    starts_.assign(said_.size() + 1, 0);
    for (const auto& [head, dependent, label] : edges) {
        ++starts_[static_cast<std::size_t>(head) + 1];
        ++starts_[static_cast<std::size_t>(dependent) + 1];
    }
    for (std::size_t i = 0; i < said_.size(); ++i) starts_[i + 1] += starts_[i];
    steps_.resize(2 * edges.size());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for (const auto& [head, dependent, label] : edges) {
        steps_[next[static_cast<std::size_t>(head)]++] = {dependent, label, true};
        steps_[next[static_cast<std::size_t>(dependent)]++] = {head, label, false};
    }
}

void MeaningGraph::shape(std::size_t columns) {
    std::vector<std::uint32_t> labels;
    for (std::size_t i = 1; i < said_.size(); ++i) {
        const auto node = static_cast<Index>(i);
        std::uint32_t* const shapes = &cells_[i * width_ + columns];
        for (const bool down : {false, true}) {
            labels.clear();
            for (const Step& step : steps(node)) {
                if (step.down == down) labels.push_back(step.label);
            }
            std::ranges::sort(labels);
            labels.erase(std::ranges::unique(labels).begin(), labels.end());
            std::uint64_t bag = down;
            for (const std::uint32_t label : labels) bag = join(bag, label);
            shapes[down] = folded(bag);
        }
        std::uint64_t around = 0;
        for (const Step& step : steps(node)) {
            const std::uint32_t tag = value(step.to, static_cast<std::size_t>(MeaningColumn::tag));
            around += mix(join(step_hash(step.label, step.down), tag));
        }
        shapes[2] = folded(around);
        shapes[3] = static_cast<std::uint32_t>(1 + std::min<std::size_t>(steps(node).size(), 8));
    }
}

void MeaningGraph::rank(std::size_t columns) {
    constexpr int rounds = 4;  // of looking at what is around
    const std::size_t nodes = said_.size();
    std::vector<std::uint64_t> now(nodes, 0), next(nodes, 0);
    for (std::size_t i = 1; i < nodes; ++i) {
        std::uint64_t hash = said_[i];
        for (std::size_t column = 0; column < columns; ++column) {
            hash = join(hash, value(static_cast<Index>(i), column));
        }
        now[i] = mix(hash);
    }
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 1; i < nodes; ++i) {
            std::uint64_t around = 0;
            for (const Step& step : steps(static_cast<Index>(i))) {
                around += mix(join(step_hash(step.label, step.down), now[static_cast<std::size_t>(step.to)]));
            }
            next[i] = mix(join(now[i], around));
        }
        now.swap(next);
    }
    words_.clear();
    for (std::size_t i = 1; i < nodes; ++i) {
        if (said_[i]) words_.push_back(static_cast<Index>(i));
    }
    std::ranges::stable_sort(words_, {}, [&](Index node) { return now[static_cast<std::size_t>(node)]; });
}

void MeaningGraph::find_ways(Index from) {
    enum : std::size_t { length, labels, direction, between, others };
    constexpr std::uint32_t longest = 9;
    const auto way_to = [&](Index node) {
        return &ways_[(static_cast<std::size_t>(from) * said_.size() + static_cast<std::size_t>(node)) *
                      way_facts];
    };
    queue_.assign(1, from);
    std::vector<std::uint32_t> depths(said_.size(), 0);
    depths[static_cast<std::size_t>(from)] = 1;
    for (std::size_t i = 0; i < queue_.size(); ++i) {  // grows: breadth first
        const Index node = queue_[i];
        const std::uint32_t depth = depths[static_cast<std::size_t>(node)];
        const std::uint32_t* const own = way_to(node);
        const std::uint32_t tag = value(node, static_cast<std::size_t>(MeaningColumn::tag));
        for (const Step& step : steps(node)) {
            std::uint32_t& known = depths[static_cast<std::size_t>(step.to)];
            if (known != 0 && known != depth + 1) continue;
            const auto path = folded(join(own[labels], step_hash(step.label, step.down)));
            const std::uint32_t ways = own[direction] | (step.down ? 1u : 2u);
            const std::uint32_t inner = node == from ? 0 : folded(join(own[between], tag));
            std::uint32_t* const there = way_to(step.to);
            if (known == 0) {
                known = depth + 1;
                queue_.push_back(step.to);
                there[others] = own[others];
            } else {
                there[others] = 1;
                if (std::tie(there[labels], there[between], there[direction]) <=
                    std::tie(path, inner, ways)) {
                    continue;
                }
            }
            there[length] = std::min(depth, longest);
            there[labels] = path;
            there[direction] = ways;
            there[between] = inner;
        }
    }
}

}  // namespace plait
