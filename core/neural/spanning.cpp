#include "core/neural/spanning.hpp"

#include <algorithm>
#include <utility>

#include "core/cancel.hpp"

namespace plait::neural {

namespace {

using Heads = std::span<std::int32_t>;

constexpr double root_price = 1000.0;  // for every arc from the root, so that there is one only
constexpr double given_reward = 1e7;
// In which arcs pay: real sentences need a few; without an end, texts of thousands of words take minutes.
constexpr std::size_t most_rounds = 64;
constexpr double lowest = -1e6;

// Words that cannot be told from their descendants by a walk through the tree: who is over whom.
class Descent {
  public:
    // False if some words do not hang from the root.
    bool read(std::span<const std::int32_t> heads) {
        const std::size_t nodes = heads.size() + 1;
        first_.assign(nodes + 1, 0);
        for (const std::int32_t head : heads) ++first_[static_cast<std::size_t>(head) + 1];
        roots_ = first_[1];
        for (std::size_t i = 1; i <= nodes; ++i) first_[i] += first_[i - 1];
        children_.resize(heads.size());
        next_.assign(first_.begin(), first_.end() - 1);
        for (std::size_t i = 0; i < heads.size(); ++i) {
            children_[next_[static_cast<std::size_t>(heads[i])]++] = i + 1;
        }
        enter_.assign(nodes, 0);
        leave_.assign(nodes, 0);
        next_.assign(first_.begin(), first_.end() - 1);
        path_.assign(1, 0);
        std::size_t seen = 1;
        while (!path_.empty()) {
            const std::size_t node = path_.back();
            if (next_[node] < first_[node + 1]) {
                const std::size_t child = children_[next_[node]++];
                enter_[child] = seen++;
                path_.push_back(child);
            } else {
                leave_[node] = seen;
                path_.pop_back();
            }
        }
        return seen == nodes;
    }

    // Of a tree that was read: whether a word between a word and its head is not under the head.
    bool crosses(std::size_t word, std::size_t head) const {
        for (std::size_t i = std::min(word, head) + 1; i < std::max(word, head); ++i) {
            if (enter_[i] < enter_[head] || enter_[i] >= leave_[head]) return true;
        }
        return false;
    }

    std::size_t roots() const { return roots_; }

  private:
    std::size_t roots_ = 0;
    std::vector<std::size_t> first_, next_, children_, enter_, leave_, path_;
};

// The best tree under node 0. A cycle of best heads becomes one node; in the square of scores it takes the
// place of one of its members. Every arc between such nodes remembers which words it connects.
class Spanning {
  public:
    explicit Spanning(std::size_t nodes)
        : nodes_(nodes), scores_(nodes * nodes), arcs_(nodes * nodes), node_(nodes), state_(nodes, fresh) {
        for (std::size_t i = 0; i < nodes; ++i) {
            node_[i] = i;
            for (std::size_t j = 0; j < nodes; ++j) arcs_[i * nodes + j] = {i, j};
        }
        parent_.assign(nodes, none);
        chosen_.resize(nodes);
        members_.resize(nodes);
    }

    double& score(std::size_t word, std::size_t head) { return scores_[word * nodes_ + head]; }

    void solve(Heads heads) {
        state_[0] = settled;
        for (std::size_t start = 1; start < nodes_; ++start) {
            if (state_[start] == fresh) grow(start);
        }
        expand(heads);
    }

  private:
    using Arc = std::pair<std::size_t, std::size_t>;
    enum State : std::uint8_t { fresh, on_path, settled, gone };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    // From a place in the square upwards, until something is met that hangs from the root.
    void grow(std::size_t start) {
        path_.assign(1, start);
        state_[start] = on_path;
        while (true) {
            check_cancelled();
            const std::size_t place = path_.back(), above = best_head(place);
            chosen_[node_[place]] = arcs_[place * nodes_ + above];
            if (state_[above] == settled) break;
            if (state_[above] == fresh) {
                state_[above] = on_path;
                path_.push_back(above);
            } else {
                contract(above);
            }
        }
        for (const std::size_t place : path_) state_[place] = settled;
    }

    std::size_t best_head(std::size_t place) const {
        std::size_t best = place == 0 ? 1 : 0;
        const double* row = scores_.data() + place * nodes_;
        for (std::size_t head = 0; head < nodes_; ++head) {
            if (head != place && state_[head] != gone && row[head] > row[best]) best = head;
        }
        return best;
    }

    void contract(std::size_t last) {
        const std::size_t begin = static_cast<std::size_t>(std::ranges::find(path_, last) - path_.begin());
        const std::size_t place = last, number = parent_.size();
        std::vector<double> kept;
        std::vector<std::size_t> members;
        for (std::size_t i = begin; i < path_.size(); ++i) {
            // The next on the path is the head; the last of the cycle has the first.
            const std::size_t head = i + 1 < path_.size() ? path_[i + 1] : last;
            kept.push_back(score(path_[i], head));
            members.push_back(node_[path_[i]]);
            parent_[node_[path_[i]]] = number;
        }
        for (std::size_t other = 0; other < nodes_; ++other) {
            if (state_[other] == gone || in_cycle(other, begin)) continue;
            std::size_t into = begin, out = begin;
            for (std::size_t i = begin + 1; i < path_.size(); ++i) {
                if (score(path_[i], other) - kept[i - begin] >
                    score(path_[into], other) - kept[into - begin]) {
                    into = i;
                }
                if (score(other, path_[i]) > score(other, path_[out])) out = i;
            }
            const double entering = score(path_[into], other) - kept[into - begin];
            arcs_[place * nodes_ + other] = arcs_[path_[into] * nodes_ + other];
            score(place, other) = entering;
            arcs_[other * nodes_ + place] = arcs_[other * nodes_ + path_[out]];
            score(other, place) = score(other, path_[out]);
        }
        for (std::size_t i = begin + 1; i < path_.size(); ++i) state_[path_[i]] = gone;
        path_.resize(begin + 1);
        parent_.push_back(none);
        chosen_.emplace_back();
        members_.push_back(std::move(members));
        node_[place] = number;
    }

    bool in_cycle(std::size_t place, std::size_t begin) const {
        return state_[place] == on_path && std::find(path_.begin() + static_cast<std::ptrdiff_t>(begin),
                                                     path_.end(), place) != path_.end();
    }

    // A cycle is entered where its arc says; its other members keep their heads.
    void expand(Heads heads) {
        std::vector<std::pair<std::size_t, Arc>> open;
        for (std::size_t node = 1; node < parent_.size(); ++node) {
            if (parent_[node] == none) open.emplace_back(node, chosen_[node]);
        }
        while (!open.empty()) {
            const auto [node, arc] = open.back();
            open.pop_back();
            if (members_[node].empty()) {
                heads[node - 1] = static_cast<std::int32_t>(arc.second);
                continue;
            }
            std::size_t entered = arc.first;
            while (parent_[entered] != node) entered = parent_[entered];
            for (const std::size_t member : members_[node]) {
                open.emplace_back(member, member == entered ? arc : chosen_[member]);
            }
        }
    }

    std::size_t nodes_;
    std::vector<double> scores_;
    std::vector<Arc> arcs_;                          // of a square: the words that an arc connects
    std::vector<std::size_t> node_;                  // by place in the square
    std::vector<State> state_;                       // by place
    std::vector<std::size_t> parent_;                // by node: the cycle it is in
    std::vector<Arc> chosen_;                        // by node
    std::vector<std::vector<std::size_t>> members_;  // by node; none of a word
    std::vector<std::size_t> path_;
};

}  // namespace

void best_tree(const ArcScores& arcs, double price, std::span<const std::int32_t> given, Heads heads) {
    const std::size_t words = arcs.words, nodes = words + 1;
    std::vector<double> scores(words * nodes);
    for (std::size_t i = 0; i < words; ++i) {
        for (std::size_t head = 0; head < nodes; ++head) {
            const double score = static_cast<double>(arcs.scores[i * arcs.step + head]);
            scores[i * nodes + head] = score > lowest ? std::min(score, -lowest) : lowest;
        }
        scores[i * nodes + i + 1] = 2 * lowest;  // no word is its own head
        if (!given.empty() && given[i] >= 0) {
            scores[i * nodes + static_cast<std::size_t>(given[i])] += given_reward;
        }
    }
    Descent descent;
    const auto find = [&] {
        for (std::size_t i = 0; i < words; ++i) {
            const double* row = scores.data() + i * nodes;
            heads[i] = static_cast<std::int32_t>(std::max_element(row, row + nodes) - row);
        }
        if (descent.read(heads) && descent.roots() == 1) return;
        Spanning spanning(nodes);
        for (std::size_t i = 0; i < words; ++i) {
            for (std::size_t head = 0; head < nodes; ++head) {
                spanning.score(i + 1, head) = scores[i * nodes + head] - (head == 0 ? root_price : 0);
            }
        }
        spanning.solve(heads);
        descent.read(heads);
    };
    find();
    if (!(price > 0)) return;
    std::vector<bool> paid(scores.size());
    bool again = true;
    for (std::size_t round = 0; again && round < std::min(2 * words, most_rounds); ++round) {
        check_cancelled();
        again = false;
        for (std::size_t i = 0; i < words; ++i) {
            const std::size_t head = static_cast<std::size_t>(heads[i]), arc = i * nodes + head;
            if (paid[arc] || !descent.crosses(i + 1, head)) continue;
            paid[arc] = again = true;
            scores[arc] -= price;
        }
        if (again) find();
    }
}

}  // namespace plait::neural
