// Scores of all arcs, and of labels for given ones (Dozat and Manning 2017).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/neural/scratch.hpp"
#include "core/neural/tensors.hpp"

namespace plait::neural {

// Of words, and of the root and words, rows `step` apart.
struct LabelRows {
    const float *dependents, *heads;
    std::size_t step, words;
};

class Biaffine {
  public:
    Biaffine(Tensors& tensors, std::size_t width);

    std::size_t labels() const { return labels_; }

    // From at.vectors, whose first row becomes that of the root: at.arcs, rows of words of padded(words + 1)
    // heads, and what labels are scored from.
    void score_arcs(Scratch& at) const;
    // What labels are scored from, as score_arcs left it.
    LabelRows label_rows(const Scratch& at) const;
    std::size_t label_size() const { return label_; }
    // Into at.label_logits, in rows of padded(labels()), for as many words as there are heads.
    void score_labels(const LabelRows& rows, std::span<const std::int32_t> heads, Scratch& at) const;

  private:
    std::size_t width_, arc_, label_, labels_;
    std::vector<float> root_, arc_v_;
    Matrix dependents_, heads_;  // arcs first, then labels
    Matrix arc_u_, label_m_, label_p_;
};

}  // namespace plait::neural
