#include "core/neural/tags.hpp"

#include <algorithm>
#include <string>

namespace plait::neural {

Tags::Tags(Tensors& tensors, std::size_t width, std::size_t in) : width_(width), in_(in) {
    norm_ = tensors.norm("tags.ln", width);
    const std::size_t hidden = tensors.rows("tags.w");
    Tensors::require(hidden <= most_width, "tags.w");
    hidden_ = tensors.matrix("tags.w", "tags.b", hidden, width + in);
    for (std::size_t i = 0; i < tag_columns; ++i) {
        const std::string at = std::string("tags.") + column_names[i];
        sizes_[i] = tensors.rows(at + "_w");
        tensors.append(out_, at + "_w", at + "_b", sizes_[i], hidden);
    }
}

void Tags::read(const float* vectors, Scratch& at) const {
    const std::size_t n = at.words, seen = width_ + in_;
    grow(at.z, n * seen);
    for (std::size_t t = 0; t < n; ++t) {
        normalize(norm_, vectors + t * width_, at.z.data() + t * seen, width_);
        std::copy_n(at.plain.data() + t * in_, in_, at.z.data() + t * seen + width_);
    }
    at.times(hidden_, at.z.data(), seen, n, at.hidden);
    gelu(at.hidden.data(), n * padded(hidden_.rows()));
    at.times(out_, at.hidden.data(), padded(hidden_.rows()), n, at.tag_logits);
}

}  // namespace plait::neural
