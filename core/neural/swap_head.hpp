// A small net that scores the transitions of the swap system. It looks at the vectors that another net has of
// the words in nine places of a state, and at the probabilities of arcs (`ArcView`).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/neural/arc_view.hpp"
#include "core/neural/decoder.hpp"
#include "core/neural/matrix.hpp"
#include "core/neural/tensors.hpp"
#include "core/scorer.hpp"
#include "core/trace.hpp"

namespace plait::neural {

// S0, S1, S2, B0, B1, and the outermost dependents of S0 and of S1, left and right.
inline constexpr std::size_t swap_slots = 9;
inline constexpr std::size_t swap_kinds = 4;  // SHIFT, SWAP, LEFT-ARC, RIGHT-ARC: arcs have no labels here

std::array<Index, swap_slots> slots_of(const State& state);

// The transitions without labels: their one label is 0.
const Repertoire& bare_repertoire();

class SwapHead {
  public:
    // invalid_argument for arrays that do not fit together.
    SwapHead(Tensors tensors, Kernel kernel);

    std::size_t width() const { return slots_.columns(); }

  private:
    friend class SwapScorer;

    Kernel kernel_;
    std::size_t hidden_;
    Matrix slots_;                // of every slot as many rows as there are hidden units
    std::vector<float> outside_;  // by slot: what it adds if there is nothing in it, and if it is the root
    std::vector<float> arcs_;     // by feature of the arcs
    std::vector<float> bias_, out_, out_bias_;
};

// What a head says of the states of one sentence: logarithms of probabilities.
class SwapScorer {
  public:
    explicit SwapScorer(const SwapHead& head) : head_(head) {}

    void read(const Reading& reading);
    std::span<const float> score(const State& state, const Context&);

    static bool completes() { return false; }
    static void complete(const State&, Kind, Arc) {}
    static float tag_score(const State&, Index) { return 0; }
    const Words& words() const { return words_; }

  private:
    const SwapHead& head_;
    Words words_;
    ArcView arcs_;
    Rounded rounded_;
    std::vector<float> projected_, hidden_;
    std::array<float, ArcView::size> features_;
    std::array<float, swap_kinds> scores_;
};

static_assert(TransitionScorer<SwapScorer>);

// Greedy search, or a beam; of several trees as many as a beam of at least that width finds.
class SwapDecoder : public Decoder {
  public:
    // The price is that of spanning trees, for sentences that are too long for search.
    SwapDecoder(const SwapHead& head, std::size_t beam, double price)
        : Decoder(price), head_(head), beam_(beam) {}
    Trees decode(const Reading& reading, std::span<const std::int32_t> given,
                 std::size_t best) const override;

  private:
    const SwapHead& head_;
    std::size_t beam_;
};

// How the head comes to a tree. With `tree`, how it comes to that one: of what leads to it, the head takes
// what it likes best (ND-ALL; Björkelund and Nivre 2015, section 4.1).
Trace trace_swaps(const SwapHead& head, const Reading& reading,
                  std::optional<std::span<const std::int32_t>> tree, std::size_t beam);

}  // namespace plait::neural
