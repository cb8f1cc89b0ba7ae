#include "core/graph/rearrange.hpp"

#include <algorithm>
#include <array>

#include "core/cancel.hpp"

namespace plait {

namespace {

// The next dependent beyond this arc that its head has on the same side; none if there is none.
Index next_sibling(const Candidates& arcs, const ArcTree& tree, ArcNumber arc) {
    const Candidate& found = arcs[arc];
    for (const ArcNumber other : arcs.from(found.head, found.rightward())) {
        if (arcs[other].rank > found.rank && tree[arcs[other].dependent].arc == other) {
            return arcs[other].dependent;
        }
    }
    return none;
}

// Words whose arcs see something else when a word moves from one arc to the other, besides the word itself.
class Touched {
  public:
    Touched(const Candidates& arcs, const ArcTree& tree, ArcNumber from, ArcNumber to) {
        const Index moved = arcs[to].dependent;
        for (const Index word :
             {arcs[from].head, next_sibling(arcs, tree, from), arcs[to].head, next_sibling(arcs, tree, to)}) {
            const auto end = words_.begin() + static_cast<std::ptrdiff_t>(count_);
            if (word > 0 && word != moved && std::find(words_.begin(), end, word) == end)
                words_[count_++] = word;
        }
    }
    std::span<const Index> words() const { return std::span(words_).first(count_); }

  private:
    std::array<Index, 4> words_;
    std::size_t count_ = 0;
};

float score_word(const Candidates& arcs, const PartScores& scores, const ArcTree& tree, Index word) {
    const auto [arc, label] = tree[word];
    return score_arc(scores, arc, surroundings(arcs, tree, arc), static_cast<std::size_t>(label));
}

bool is_below(const Candidates& arcs, const ArcTree& tree, Index node, Index above) {
    while (node != 0 && node != above) node = arcs[tree[node].arc].head;
    return node == above;
}

}  // namespace

Move weigh_move(const Candidates& arcs, const PartScores& scores, ArcTree& tree, ArcNumber arc) {
    const Index word = arcs[arc].dependent;
    const ArcTree::Choice present = tree[word];
    const Touched touched(arcs, tree, present.arc, arc);
    float before = score_word(arcs, scores, tree, word);
    for (const Index other : touched.words()) before += score_word(arcs, scores, tree, other);

    tree[word].arc = arc;
    float after = 0;
    for (const Index other : touched.words()) after += score_word(arcs, scores, tree, other);
    const Surroundings around = surroundings(arcs, tree, arc);
    tree[word] = present;
    Move move{arc, 0, score_arc(scores, arc, around, 0)};
    for (std::size_t label = 1; label < arcs[arc].label_count; ++label) {
        const float score = score_arc(scores, arc, around, label);
        if (score > move.gain) move = {arc, static_cast<std::int32_t>(label), score};
    }
    move.gain += after - before;
    return move;
}

std::size_t rearrange(const Candidates& arcs, const PartScores& scores, float threshold, bool single_root,
                      ArcTree& tree) {
    std::size_t moves = 0;
    for (; moves < static_cast<std::size_t>(arcs.words()); ++moves) {
        Move best{none, none, threshold};
        for (Index word = 1; word <= arcs.words(); ++word) {
            check_cancelled();
            const ArcNumber present = tree[word].arc;
            if (single_root && arcs[present].head == 0) continue;
            const auto [first, last] = arcs.to(word);
            for (ArcNumber arc = first; arc < last; ++arc) {
                const Index head = arcs[arc].head;
                if (arc == present || (single_root && head == 0) || is_below(arcs, tree, head, word))
                    continue;
                const Move move = weigh_move(arcs, scores, tree, arc);
                if (move.gain > best.gain) best = move;
            }
        }
        if (best.arc == none) break;
        tree[arcs[best.arc].dependent] = {best.arc, best.label};
    }
    return moves;
}

}  // namespace plait
