// The scores of all parts of the trees of one sentence (Bohnet 2010, section 3: the arrays A), for the labels
// an arc may have. Pruned arcs have no parts, so the arrays are small.
#pragma once

#include <atomic>

#include "core/cancel.hpp"
#include "core/graph/candidates.hpp"
#include "core/parts.hpp"
#include "core/threads.hpp"

namespace plait {

// What a model must be able to do: scores of a part by the label of its arc, valid until the next call.
template <typename T>
concept PartScorer = requires(T scorer, const Part& part) {
    { scorer.score(part) } -> std::convertible_to<std::span<const float>>;
};

class PartScores {
  public:
    // How many scores there would be.
    static std::size_t count(const Candidates& arcs);

    // On several threads each takes some arcs, whose scores are its own (Bohnet 2010, Algorithm 4): the
    // result is the same on any number of them.
    template <PartScorer Scorer>
    void fill(const Candidates& arcs, Scorer& scorer, int threads = 1) {
        lay_out(arcs);
        const std::size_t shares = (arcs.size() + share - 1) / share;
        if (threads == 1 || shares < 2) return fill(arcs, scorer, 0, arcs.size());
        std::atomic<std::size_t> next{0};
        on_threads(static_cast<int>(std::min(shares, static_cast<std::size_t>(threads))), [&] {
            Scorer own = scorer;
            for (std::size_t i = next++; i < shares; i = next++) {
                fill(arcs, own, i * share, std::min((i + 1) * share, arcs.size()));
            }
        });
    }

    // By place of the label in the list of the arc. `rank` is that of the other arc among those from its head
    // to its side, 0 if there is none.
    float* first(ArcNumber arc) { return values_.data() + start(arc).first; }
    const float* first(ArcNumber arc) const { return values_.data() + start(arc).first; }
    const float* sibling(ArcNumber arc, std::size_t rank) const {
        return values_.data() + start(arc).sibling + rank * start(arc).labels;
    }
    const float* inner(ArcNumber arc, std::size_t rank) const {
        return values_.data() + start(arc).inner + rank * start(arc).labels;
    }
    const float* outer(ArcNumber arc, std::size_t rank) const {
        return values_.data() + start(arc).outer + rank * start(arc).labels;
    }

  private:
    struct Start {
        std::size_t first, sibling, inner, outer, labels;
    };
    static constexpr std::size_t share = 32;  // arcs that a thread takes at a time

    template <PartScorer Scorer>
    void fill(const Candidates& arcs, Scorer& scorer, std::size_t begin, std::size_t end) {
        for (auto number = static_cast<ArcNumber>(begin); number < static_cast<ArcNumber>(end); ++number) {
            check_cancelled();
            const Candidate& arc = arcs[number];
            float* next = values_.data() + starts_[static_cast<std::size_t>(number)].first;
            const auto score = [&](PartKind kind, Index other) {
                const std::span<const float> all =
                    scorer.score({kind, {arc.head, arc.dependent, other, none}});
                for (const Label label : arcs.labels(number)) *next++ = all[static_cast<std::size_t>(label)];
            };
            const auto score_all = [&](PartKind kind, std::span<const ArcNumber> others) {
                score(kind, none);
                for (const ArcNumber other : others) score(kind, arcs[other].dependent);
            };
            score(PartKind::first, none);
            score_all(PartKind::sibling, arcs.siblings(number));
            score_all(PartKind::inner, arcs.inner(number));
            score_all(PartKind::outer, arcs.outer(number));
        }
    }

    void lay_out(const Candidates& arcs);
    const Start& start(ArcNumber arc) const { return starts_[static_cast<std::size_t>(arc)]; }

    std::vector<Start> starts_;
    std::vector<float> values_;
};

// The words around an arc in a tree, by rank (0: none), and the score of the arc with them.
struct Surroundings {
    std::size_t sibling, inner, outer;

    bool operator==(const Surroundings&) const = default;
};
Surroundings surroundings(const Candidates& arcs, const ArcTree& tree, ArcNumber arc);

inline float score_arc(const PartScores& scores, ArcNumber arc, const Surroundings& around,
                       std::size_t label) {
    return scores.first(arc)[label] + scores.sibling(arc, around.sibling)[label] +
           scores.inner(arc, around.inner)[label] + scores.outer(arc, around.outer)[label];
}

double score_tree(const Candidates& arcs, const PartScores& scores, const ArcTree& tree);

}  // namespace plait
