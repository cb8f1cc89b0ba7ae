#include "core/grow/search.hpp"

#include <algorithm>

namespace plait {

GrownTree TreeGrower::run(const MeaningGraph& graph, const EdgeScores& scores) {
    graph_ = &graph;
    scores_ = &scores;
    tree_.heads.assign(graph.nodes() + 1, none);
    tree_.labels.assign(graph.nodes() + 1, none);
    rest_.assign(graph.words().begin(), graph.words().end());
    hosts_.assign(graph.nodes() + 1, none);
    root_ = none;
    if (rest_.size() > 1) {
        begin();
        while (!rest_.empty()) {
            check_cancelled();
            options();
            const Option* best = nullptr;
            float most = std::numeric_limits<float>::lowest();
            for (const Option& option : options_) {
                const float total = option.score + (best_ > 1 ? following(option) : 0);
                if (best == nullptr || total > most) {
                    most = total;
                    best = &option;
                }
            }
            take(Option(*best));
        }
    } else if (!rest_.empty()) {
        root_ = rest_.front();
    }
    if (root_ != none) {
        tree_.heads[static_cast<std::size_t>(root_)] = 0;
        tree_.labels[static_cast<std::size_t>(root_)] = scores.label(0, root_);
    }
    tree_.heads.erase(tree_.heads.begin());
    tree_.labels.erase(tree_.labels.begin());
    return tree_;
}

// The first edge: of the best, the one whose tree can be extended best.
void TreeGrower::begin() {
    std::vector<Option> seeds;
    for (const Index head : graph_->words()) {
        for (const Index node : graph_->words()) {
            if (head == node) continue;
            const float score = scores_->score(head, node) + scores_->score(0, head);
            seeds.push_back({node, head, false, score});
        }
    }
    const std::size_t kept = std::min(best_, seeds.size());
    std::ranges::stable_sort(seeds, std::ranges::greater{}, &Option::score);
    seeds.resize(kept);
    const Option* best = nullptr;
    float most = std::numeric_limits<float>::lowest();
    for (const Option& seed : seeds) {
        float next = rest_.size() > 2 ? std::numeric_limits<float>::lowest() : 0;
        for (const Index node : rest_) {
            if (node == seed.node || node == seed.other) continue;
            next = std::max({next, scores_->score(seed.other, node), scores_->score(seed.node, node),
                             above_root(node, seed.other)});
        }
        if (best == nullptr || seed.score + next > most) {
            most = seed.score + next;
            best = &seed;
        }
    }
    const Option first = *best;
    root_ = first.other;
    std::erase(rest_, first.other);
    for (const Index node : rest_) hosts_[static_cast<std::size_t>(node)] = root_;
    take(first);
}

// The best edges that may come next; every node has one way in below, and one above the root.
void TreeGrower::options() {
    options_.clear();
    for (const Index node : rest_) {
        const Index host = hosts_[static_cast<std::size_t>(node)];
        options_.push_back({node, host, false, scores_->score(host, node)});
        options_.push_back({node, root_, true, above_root(node, root_)});
    }
    std::ranges::stable_sort(options_, std::ranges::greater{}, &Option::score);
    if (options_.size() > best_) options_.resize(best_);
}

// The best edge that could come after one.
float TreeGrower::following(const Option& option) const {
    if (rest_.size() < 2) return 0;
    float most = std::numeric_limits<float>::lowest();
    const Index root = option.above ? option.node : root_;
    for (const Index node : rest_) {
        if (node == option.node) continue;
        most = std::max({most, scores_->score(hosts_[static_cast<std::size_t>(node)], node),
                         scores_->score(option.node, node), above_root(node, root)});
    }
    return most;
}

void TreeGrower::take(const Option& option) {
    const auto below = static_cast<std::size_t>(option.above ? option.other : option.node);
    const Index head = option.above ? option.node : option.other;
    tree_.heads[below] = head;
    tree_.labels[below] = scores_->label(head, static_cast<Index>(below));
    if (option.above) root_ = option.node;
    std::erase(rest_, option.node);
    for (const Index node : rest_) {
        Index& host = hosts_[static_cast<std::size_t>(node)];
        if (scores_->score(option.node, node) > scores_->score(host, node)) host = option.node;
    }
}

}  // namespace plait
