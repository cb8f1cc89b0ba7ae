#include "core/neural/swap_head.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/derive.hpp"
#include "core/neural/layers.hpp"
#include "core/parses.hpp"

namespace plait::neural {

namespace {

constexpr std::size_t most_hidden = 4096;
constexpr float reward = 1e4f;  // of an arc that search has built, when a tree must be mended
constexpr bool single_root = true;

Setting<SwapSystem> setting() { return {SwapSystem{}, bare_repertoire(), single_root}; }

}  // namespace

std::array<Index, swap_slots> slots_of(const State& state) {
    const Index top = state.stack(0), below = state.stack(1);
    const auto outermost = [&](Index node) {
        return node == none ? std::pair{none, none}
                            : std::pair{state.node(node).left1, state.node(node).right1};
    };
    const auto [left0, right0] = outermost(top);
    const auto [left1, right1] = outermost(below);
    return {top, below, state.stack(2), state.buffer(0), state.buffer(1), left0, right0, left1, right1};
}

const Repertoire& bare_repertoire() {
    static const Repertoire bare = [] {
        const Label label[] = {0};
        const std::uint8_t yes[] = {1};
        return Repertoire(label, label, yes, yes);
    }();
    return bare;
}

SwapHead::SwapHead(Tensors tensors, Kernel kernel) : kernel_(kernel), hidden_(tensors.size("swap.b")) {
    Tensors::require(hidden_ > 0 && hidden_ <= most_hidden, "swap.b");
    slots_ = tensors.matrix("swap.slots", "", swap_slots * hidden_, tensors.columns("swap.slots"));
    const auto table = [&](const char* name, std::size_t rows) {
        const std::span<const float> found = tensors.floats(name, rows, hidden_);
        return std::vector<float>(found.begin(), found.end());
    };
    outside_ = table("swap.outside", 2 * swap_slots);
    arcs_ = table("swap.arcs", ArcView::size);
    bias_ = tensors.list("swap.b", hidden_);
    out_ = table("swap.out_w", swap_kinds);
    out_bias_ = tensors.list("swap.out_b", swap_kinds);
    tensors.require_all_taken();
    bare_repertoire();  // now, while Python waits: a fork in the midst of it would leave it locked
}

void SwapScorer::read(const Reading& reading) {
    const std::size_t words = reading.arcs.words;
    arcs_.read(reading.arcs);
    projected_.resize(words * padded(head_.slots_.rows()));
    rounded_.round(head_.kernel_, reading.vectors, words, reading.width, reading.width);
    head_.slots_.times(head_.kernel_, rounded_, words, projected_.data(), padded(head_.slots_.rows()));
    hidden_.resize(head_.hidden_);
}

std::span<const float> SwapScorer::score(const State& state, const Context&) {
    const std::size_t size = head_.hidden_, step = padded(head_.slots_.rows());
    std::ranges::copy(head_.bias_, hidden_.begin());
    const auto nodes = slots_of(state);
    for (std::size_t slot = 0; slot < swap_slots; ++slot) {
        const Index node = nodes[slot];
        const float* more = node > 0
                                ? projected_.data() + static_cast<std::size_t>(node - 1) * step + slot * size
                                : head_.outside_.data() + (2 * slot + (node == 0 ? 1 : 0)) * size;
        add(more, hidden_.data(), size);
    }
    arcs_.describe(state, features_.data());
    add_rows(features_.data(), features_.size(), head_.arcs_.data(), size, hidden_.data(), size);
    leaky_relu(hidden_.data(), size);
    constexpr Kind kinds[swap_kinds] = {Kind::shift, Kind::swap, Kind::left_arc, Kind::right_arc};
    std::array<float, swap_kinds> permitted;
    std::size_t count = 0;
    for (std::size_t i = 0; i < swap_kinds; ++i) {
        const float found = head_.out_bias_[i] + dot(hidden_.data(), head_.out_.data() + i * size, size);
        scores_[i] = std::isfinite(found) ? found : 0.0f;  // the largest weights may overflow
        if (SwapSystem::permits(state, kinds[i], single_root)) permitted[count++] = scores_[i];
    }
    const float all = count == 0 ? 0.0f : log_sum(permitted.data(), count);
    for (float& score : scores_) score -= all;
    return scores_;
}

Trees SwapDecoder::decode(const Reading& reading, std::span<const std::int32_t> given,
                          std::size_t best) const {
    const std::size_t words = reading.arcs.words;
    SwapScorer scorer(head_);
    scorer.read(reading);
    const std::vector<Label> labels(given.size(), none);
    const Given wanted = given.empty() ? Given() : Given(given, labels);
    const std::int64_t ends[] = {0, static_cast<std::int64_t>(words)};
    Parses parses(ends, best);
    if (beam_ == 1 && best == 1) {
        State state;
        SwapSystem::start(state, static_cast<Index>(words));
        const double score = parse_greedily(setting(), scorer, wanted, state, parses.margins);
        parses.store(state, score, 0, 0);
    } else {
        Beam beam(std::max(beam_, best));
        parse_with_beam(setting(), scorer, wanted, static_cast<Index>(words), beam);
        parses.rank(beam.hypotheses(), 0, 0);
    }
    Trees found;
    for (std::size_t rank = 0; rank < best && parses.scores[rank] != Parses::missing; ++rank) {
        const std::span<std::int32_t> tree = std::span(parses.heads).subspan(rank * words, words);
        bool kept = true;
        for (std::size_t i = 0; i < given.size(); ++i) kept &= given[i] == none || given[i] == tree[i];
        if (!kept) {
            // Search was led into a dead end: the tree that has most of what it built, and all that is given.
            const std::size_t nodes = words + 1;
            std::vector<float> scores(words * nodes);
            for (std::size_t i = 0; i < words; ++i) {
                std::copy_n(reading.arcs.scores + i * reading.arcs.step, nodes, scores.data() + i * nodes);
                scores[i * nodes + static_cast<std::size_t>(tree[i])] += reward;
            }
            best_tree({scores.data(), nodes, words}, 0, given, tree);
        }
        bool seen = false;
        for (std::size_t i = 0; i < found.size(); ++i) seen |= std::ranges::equal(found.tree(i, words), tree);
        if (!seen) found.add(tree, parses.scores[rank]);
    }
    return found;
}

Trace trace_swaps(const SwapHead& head, const Reading& reading,
                  std::optional<std::span<const std::int32_t>> tree, std::size_t beam) {
    SwapScorer scorer(head);
    scorer.read(reading);
    const auto words = static_cast<Index>(reading.arcs.words);
    if (!tree) return trace_derivation(setting(), scorer, words, Widths{beam}, swap_kinds);
    Deriver deriver(SystemId::swap, OracleId::nd_all, single_root, 0);
    const Gold gold(*tree);
    if (!deriver.derivable(gold)) throw std::invalid_argument("the tree has several roots");
    Trace trace;
    State state;
    SwapSystem::start(state, words);
    while (!SwapSystem::terminal(state)) {
        check_cancelled();
        const TransitionSet correct = deriver.correct(state, gold);
        Choice liked;
        setting().each_scored(state, scorer, [&](Transition transition, std::size_t number, float score) {
            if (correct.has(transition)) liked.consider(transition, number, score);
        });
        if (!liked.made()) throw std::logic_error("no transition leads to the tree");
        rank_transitions(setting(), state, scorer, liked.transition, swap_kinds, trace.alternatives);
        trace.taken.add(liked.transition, 0);
        SwapSystem::apply(state, liked.transition);
    }
    trace.taken.close();
    return trace;
}

}  // namespace plait::neural
