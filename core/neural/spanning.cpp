#include "core/neural/spanning.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>

#include "core/cancel.hpp"
#include "core/neural/descent.hpp"

namespace plait::neural {

namespace {

using Heads = std::span<std::int32_t>;
using Number = std::uint32_t;

// For every arc from the root, so that there is one only: whatever the price, a tree that has one is the best
// of those that have one. A low one mostly does, and is fast, since arcs much worse than the best of their
// word are then never looked at; more where it does not.
constexpr double lowest_root_price = 1, highest_root_price = 1e12, root_price_step = 8;
constexpr double given_reward = 1e7;
constexpr double lowest = -1e6;
// Rounds in which arcs pay: real sentences need a few; without an end, texts of thousands of words take
// minutes.
constexpr std::size_t most_rounds = 64, fewest_rounds = 4, most_arcs = 1 << 20;
constexpr std::size_t most_words = 48;  // in sentences of which all arcs are looked at
constexpr std::size_t few = 16;         // heads of a word in longer ones
constexpr Number none = static_cast<Number>(-1);

// What is not a number is the least of all.
double bounded(float score) {
    const double value = static_cast<double>(score);
    return value > lowest ? std::min(value, -lowest) : lowest;
}

// The best tree under node 0 with heaps that can be joined (Tarjan 1977): of every node, arcs from its heads.
// A cycle of best heads becomes one node whose heap has the arcs of all its members.
class Spanning {
  public:
    explicit Spanning(Arcs& arcs) : words_(arcs.words()), arcs_(arcs.all()), heaps_(arcs_.size()) {
        order_.resize(arcs_.size());
        std::iota(order_.begin(), order_.end(), Number{0});
    }

    // `price` is for every arc from the root. Scores may have changed since the last time.
    void solve(Arcs& arcs, double price, Heads heads) {
        begin(arcs, price);
        const Number nodes = static_cast<Number>(words_ + 1);
        for (Number start = 1; start < nodes; ++start) grow(start);
        for (std::size_t i = cycles_.size(); i-- > 0;) open(cycles_[i]);
        for (Number word = 1; word < nodes; ++word) {
            heads[word - 1] = static_cast<std::int32_t>(arcs_[entering_[word]].head);
        }
    }

  private:
    // A leftist heap; `more` is to be added to the scores of all below.
    struct Place {
        double score, more = 0;
        Number left = none, right = none, rank = 1;
    };
    struct Cycle {
        Number node;
        std::size_t joined;  // how many joins there were before it
        std::vector<Number> arcs;
    };

    void begin(Arcs& arcs, double price) {
        const std::size_t nodes = words_ + 1;
        top_.assign(nodes, none);
        over_.resize(nodes);
        std::iota(over_.begin(), over_.end(), Number{0});
        size_.assign(nodes, 1);
        seen_.assign(nodes, none);
        seen_[0] = 0;
        entering_.assign(nodes, none);
        joins_.clear();
        cycles_.clear();
        for (std::size_t i = 0; i < arcs_.size(); ++i) {
            heaps_[i] = {arcs_[i].score - (arcs_[i].head == 0 ? price : 0)};
        }
        for (std::size_t word = 1; word < nodes; ++word) {
            const std::span<Arcs::Arc> own = arcs.of(word);
            top_[word] = build(static_cast<std::size_t>(own.data() - arcs_.data()), own.size());
        }
    }

    // Arcs of one word, the best first: a heap without right sides. Few have moved since the last time.
    Number build(std::size_t first, std::size_t count) {
        const std::span<Number> own = std::span(order_).subspan(first, count);
        const auto better = [&](Number one, Number other) {
            const double difference = heaps_[one].score - heaps_[other].score;
            return difference > 0 || (difference == 0 && one < other);
        };
        for (std::size_t i = 1; i < count; ++i) {
            const Number arc = own[i];
            std::size_t place = i;
            for (; place > 0 && better(arc, own[place - 1]); --place) own[place] = own[place - 1];
            own[place] = arc;
        }
        for (std::size_t i = 0; i + 1 < count; ++i) heaps_[own[i]].left = own[i + 1];
        return own[0];
    }

    Number rank(Number heap) const { return heap == none ? 0 : heaps_[heap].rank; }

    void settle(Number heap) {
        Place& place = heaps_[heap];
        place.score += place.more;
        for (const Number below : {place.left, place.right}) {
            if (below != none) heaps_[below].more += place.more;
        }
        place.more = 0;
    }

    Number join(Number one, Number other) {
        if (one == none) return other;
        if (other == none) return one;
        settle(one);
        settle(other);
        if (heaps_[one].score < heaps_[other].score) std::swap(one, other);
        const Number right = join(heaps_[one].right, other);
        Place& place = heaps_[one];
        place.right = right;
        if (rank(place.left) < rank(right)) std::swap(place.left, place.right);
        place.rank = rank(place.right) + 1;
        return one;
    }

    // The node that a word is in by now; joins can be undone, so that paths stay as they are.
    Number find(Number word) const {
        while (over_[word] != word) word = over_[word];
        return word;
    }

    bool unite(Number one, Number other) {
        one = find(one);
        other = find(other);
        if (one == other) return false;
        if (size_[one] < size_[other]) std::swap(one, other);
        over_[other] = one;
        size_[one] += size_[other];
        joins_.push_back(other);
        return true;
    }

    // From a word upwards, until something is met that hangs from the root.
    void grow(Number start) {
        path_.clear();
        chosen_.clear();
        Number node = find(start);
        while (seen_[node] == none) {
            check_cancelled();
            const Number best = top_[node];
            settle(best);
            const double score = heaps_[best].score;
            const Number rest = join(heaps_[best].left, heaps_[best].right);
            top_[node] = rest;
            if (find(arcs_[best].head) == node) continue;  // within a cycle
            if (rest != none) heaps_[rest].more -= score;
            path_.push_back(node);
            chosen_.push_back(best);
            seen_[node] = start;
            node = find(arcs_[best].head);
            if (seen_[node] == start) node = contract(node);
        }
        for (const Number arc : chosen_) entering_[find(arcs_[arc].word)] = arc;
    }

    // Those on the path from its end to this one.
    Number contract(Number last) {
        Cycle cycle{0, joins_.size(), {}};
        Number heap = none;
        std::size_t end = path_.size();
        do {
            --end;
            heap = join(heap, top_[path_[end]]);
        } while (unite(last, path_[end]));
        const auto first = chosen_.begin() + static_cast<std::ptrdiff_t>(end);
        cycle.arcs.assign(first, chosen_.end());
        chosen_.erase(first, chosen_.end());
        path_.resize(end);
        cycle.node = find(last);
        top_[cycle.node] = heap;
        seen_[cycle.node] = none;
        const Number node = cycle.node;
        cycles_.push_back(std::move(cycle));
        return node;
    }

    // A cycle is entered where its arc says; its other members keep their heads.
    void open(const Cycle& cycle) {
        const Number entering = entering_[cycle.node];
        for (; joins_.size() > cycle.joined; joins_.pop_back()) {
            const Number other = joins_.back();
            size_[over_[other]] -= size_[other];
            over_[other] = other;
        }
        for (const Number arc : cycle.arcs) entering_[find(arcs_[arc].word)] = arc;
        entering_[find(arcs_[entering].word)] = entering;
    }

    std::size_t words_;
    std::span<Arcs::Arc> arcs_;
    std::vector<Place> heaps_;                 // by arc
    std::vector<Number> order_;                // of the arcs of every word, the best first
    std::vector<Number> top_;                  // by node: its best arc
    std::vector<Number> over_, size_, joins_;  // which words are one node
    std::vector<Number> seen_;                 // by node: from which word it was met
    std::vector<Number> entering_;             // by node: an arc
    std::vector<Number> path_, chosen_;
    std::vector<Cycle> cycles_;
};

}  // namespace

void Arcs::add(std::size_t head, float score, std::int32_t given) {
    const double reward = static_cast<std::int64_t>(head) == given ? given_reward : 0;
    arcs_.push_back(
        {static_cast<Number>(ends_.size()), static_cast<Number>(head), score, bounded(score) + reward});
}

// The places of the `few` best scores; of equal ones, those before.
void Arcs::find_best(std::span<const float> scores) {
    std::array<double, few> best;
    order_.clear();
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const double score = bounded(scores[i]);
        if (order_.size() == few) {
            if (!(score > best[few - 1])) continue;
            order_.pop_back();
        }
        std::size_t place = order_.size();
        order_.push_back(0);
        for (; place > 0 && score > best[place - 1]; --place) {
            best[place] = best[place - 1];
            order_[place] = order_[place - 1];
        }
        best[place] = score;
        order_[place] = static_cast<Number>(i);
    }
}

void Arcs::add_word(const float* scores, std::size_t first, std::size_t count, std::int32_t given) {
    const std::size_t word = ends_.size(), own = word - first + 1;  // its place among the scores
    if (count > most_words) {
        find_best(std::span(scores, count + 1));
        for (const std::size_t place : {std::size_t{0}, own - 1, own + 1}) {
            if (place <= count) order_.push_back(static_cast<Number>(place));
        }
        std::ranges::sort(order_);
        order_.erase(std::ranges::unique(order_).begin(), order_.end());
    } else {
        order_.resize(count + 1);
        std::iota(order_.begin(), order_.end(), Number{0});
    }
    bool met = given < 0;
    for (const Number place : order_) {
        if (place == own) continue;  // no word is its own head
        const std::size_t head = place == 0 ? 0 : place + first - 1;
        met = met || static_cast<std::int64_t>(head) == given;
        add(head, scores[place], given);
    }
    if (!met) {
        const std::size_t place = static_cast<std::size_t>(given) - first + 1;
        const bool seen = static_cast<std::size_t>(given) >= first && place <= count;
        add(static_cast<std::size_t>(given), seen ? scores[place] : -std::numeric_limits<float>::infinity(),
            given);
    }
    ends_.push_back(arcs_.size());
}

float Arcs::score(std::size_t word, std::int32_t head) {
    for (const Arc& arc : of(word)) {
        if (static_cast<std::int64_t>(arc.head) == head) return arc.plain;
    }
    return -std::numeric_limits<float>::infinity();
}

namespace {

// The best tree, and where it is not yet one in which all arcs that cross have paid, the next one.
class Search {
  public:
    Search(Arcs& arcs, double price, Heads heads) : arcs_(arcs), price_(price), heads_(heads) {
        for (const Arcs::Arc& arc : arcs.all())
            given_roots_ += arc.head == 0 && arc.score >= given_reward / 2;
    }

    void run() {
        find();
        if (!(price_ > 0)) return;
        paid_.resize(arcs_.all().size());
        std::vector<std::int32_t> best;
        double most = -std::numeric_limits<double>::infinity();
        const std::size_t rounds = std::clamp(most_arcs / paid_.size(), fewest_rounds, most_rounds);
        for (std::size_t round = 0; round < std::min(2 * arcs_.words(), rounds); ++round) {
            bool again = false;
            if (const double score = pay(again); score > most) {
                most = score;
                best.assign(heads_.begin(), heads_.end());
            }
            if (!again) return;
            find();
        }
        // Without an end: that in which arcs are best after all prices.
        bool again = false;
        if (pay(again) < most) std::ranges::copy(best, heads_.begin());
    }

  private:
    void find() {
        for (std::size_t i = 0; i < arcs_.words(); ++i) {
            const auto best = std::ranges::max_element(arcs_.of(i + 1), {}, &Arcs::Arc::score);
            heads_[i] = static_cast<std::int32_t>(best->head);
        }
        if (descent_.read(heads_) && descent_.roots() == 1) return;
        if (!spanning_) spanning_.emplace(arcs_);
        while (true) {
            spanning_->solve(arcs_, root_price_, heads_);
            descent_.read(heads_);
            if (descent_.roots() <= std::max<std::size_t>(1, given_roots_)) return;
            if (root_price_ >= highest_root_price) return;
            root_price_ *= root_price_step;
        }
    }

    // Arcs that cross and have not paid do it now. The score of the tree, as if all that cross had paid once.
    double pay(bool& again) {
        double total = 0;
        for (std::size_t i = 0; i < arcs_.words(); ++i) {
            check_cancelled();
            const std::size_t head = static_cast<std::size_t>(heads_[i]);
            const auto arc = std::ranges::find(arcs_.of(i + 1), head, &Arcs::Arc::head);
            const bool crosses = descent_.crosses(i + 1, head);
            total += bounded(arc->plain) - (crosses ? price_ : 0);
            const std::size_t number = static_cast<std::size_t>(&*arc - arcs_.all().data());
            if (paid_[number] || !crosses) continue;
            paid_[number] = again = true;
            arc->score -= price_;
        }
        return total;
    }

    Arcs& arcs_;
    double price_;
    Heads heads_;
    Descent descent_;
    std::optional<Spanning> spanning_;
    double root_price_ = lowest_root_price;  // what was enough so far
    std::size_t given_roots_ = 0;
    std::vector<bool> paid_;
};

}  // namespace

void best_tree(Arcs& arcs, double price, Heads heads) { Search(arcs, price, heads).run(); }

void best_tree(const ArcScores& scores, double price, std::span<const std::int32_t> given, Heads heads) {
    Arcs arcs;
    for (std::size_t i = 0; i < scores.words; ++i) {
        arcs.add_word(scores.scores + i * scores.step, 1, scores.words, given.empty() ? -1 : given[i]);
    }
    best_tree(arcs, price, heads);
}

}  // namespace plait::neural
