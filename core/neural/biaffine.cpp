#include "core/neural/biaffine.hpp"

#include <algorithm>
#include <limits>

namespace plait::neural {

Biaffine::Biaffine(Tensors& tensors, std::size_t width) : width_(width) {
    root_ = tensors.list("root", width);
    arc_ = tensors.rows("arc.dep_w");
    label_ = tensors.rows("label.dep_w");
    labels_ = tensors.rows("label.p");
    Tensors::require(arc_ <= most_width && label_ <= most_width, "arc.dep_w");
    tensors.append(dependents_, "arc.dep_w", "arc.dep_b", arc_, width);
    tensors.append(dependents_, "label.dep_w", "label.dep_b", label_, width);
    tensors.append(heads_, "arc.head_w", "arc.head_b", arc_, width);
    tensors.append(heads_, "label.head_w", "label.head_b", label_, width);
    arc_u_ = tensors.matrix("arc.u", "", arc_, arc_);
    arc_v_ = tensors.list("arc.v", arc_);
    label_m_ = tensors.matrix("label.m", "", labels_ * label_, label_);
    label_p_ = tensors.matrix("label.p", "label.b", labels_, 2 * label_);
}

void Biaffine::score_arcs(Scratch& at) const {
    const std::size_t n = at.words, out = padded(arc_ + label_), room = padded(n + 1), mapped = padded(arc_);
    grow(at.vectors, (n + 1) * width_);
    std::ranges::copy(root_, at.vectors.begin());
    at.times(heads_, at.vectors.data(), width_, n + 1, at.heads);
    leaky_relu(at.heads.data(), (n + 1) * out);
    at.times(dependents_, at.vectors.data() + width_, width_, n, at.dependents);
    leaky_relu(at.dependents.data(), n * out);
    at.times(arc_u_, at.heads.data(), out, n + 1, at.mapped);
    grow(at.mapped_columns, arc_ * room);
    grow(at.scores, room);
    std::fill_n(at.mapped_columns.data(), arc_ * room, 0.0f);
    for (std::size_t h = 0; h <= n; ++h) {
        for (std::size_t i = 0; i < arc_; ++i) at.mapped_columns[i * room + h] = at.mapped[h * mapped + i];
        at.scores[h] = dot(at.heads.data() + h * out, arc_v_.data(), arc_);
    }
    grow(at.arcs, n * room);
    for (std::size_t t = 0; t < n; ++t) {
        float* row = at.arcs.data() + t * room;
        std::copy_n(at.scores.data(), n + 1, row);
        std::fill(row + n + 1, row + room, 0.0f);
        add_rows(at.dependents.data() + t * out, arc_, at.mapped_columns.data(), room, row, room);
        row[t + 1] = -std::numeric_limits<float>::infinity();
    }
}

LabelRows Biaffine::label_rows(const Scratch& at) const {
    return {at.dependents.data() + arc_, at.heads.data() + arc_, padded(arc_ + label_), at.words};
}

void Biaffine::score_labels(const LabelRows& from, std::span<const std::int32_t> heads, Scratch& at) const {
    const std::size_t n = heads.size(), joint = padded(labels_ * label_);
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    // A word may be the head of several: its product with the large matrix is computed once.
    at.row_of_head.assign(from.words + 1, none);
    std::size_t rows = 0;
    grow(at.above, (n + 1) * label_);
    grow(at.both, n * 2 * label_);
    for (std::size_t t = 0; t < n; ++t) {
        const std::size_t head = static_cast<std::size_t>(heads[t]);
        const float* above = from.heads + head * from.step;
        std::copy_n(from.dependents + t * from.step, label_, at.both.data() + t * 2 * label_);
        std::copy_n(above, label_, at.both.data() + t * 2 * label_ + label_);
        if (at.row_of_head[head] != none) continue;
        std::copy_n(above, label_, at.above.data() + rows * label_);
        at.row_of_head[head] = rows++;
    }
    at.times(label_p_, at.both.data(), 2 * label_, n, at.label_logits);
    at.times(label_m_, at.above.data(), label_, rows, at.joint);
    for (std::size_t t = 0; t < n; ++t) {
        const float* products = at.joint.data() + at.row_of_head[static_cast<std::size_t>(heads[t])] * joint;
        const float* own = at.both.data() + t * 2 * label_;
        float* logits = at.label_logits.data() + t * padded(labels_);
        for (std::size_t i = 0; i < labels_; ++i) logits[i] += dot(own, products + i * label_, label_);
    }
}

}  // namespace plait::neural
