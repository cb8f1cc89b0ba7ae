#include "core/neural/sru.hpp"

#include <algorithm>

namespace plait::neural {

Sru::Sru(Tensors& tensors, const std::string& at, std::size_t in, std::size_t width)
    : in_(in), width_(width) {
    norm_ = tensors.norm(at + "ln", in);
    conv_bias_ = tensors.list(at + "conv_b", in);
    const std::span<const float> conv = tensors.floats(at + "conv_w", in, 3);
    conv_.resize(conv.size());
    for (std::size_t j = 0; j < conv.size(); ++j) conv_[j % 3 * in + j / 3] = conv[j];
    gates_ = tensors.matrix(at + "w", at + "b", 3 * width, in);
    if (in != width) skip_ = tensors.matrix(at + "skip", "", width, in);
}

// Of at.gates, into at.cells.
void Sru::run(Scratch& at) const {
    const std::size_t n = at.words, half = width_ / 2, step = padded(3 * width_);
    grow(at.cells, (n + 1) * width_);
    for (std::size_t t = 0; t < n; ++t) sigmoid(at.gates.data() + t * step + width_, 2 * width_);
    float* cell = at.cells.data() + n * width_;  // behind the words: what runs along
    std::fill_n(cell, width_, 0.0f);
    for (std::size_t t = 0; t < n; ++t) {
        const float* gates = at.gates.data() + t * step;
        recur(gates + width_, gates, cell, at.cells.data() + t * width_, half);
    }
    for (std::size_t t = n; t-- > 0;) {
        const float* gates = at.gates.data() + t * step + half;
        recur(gates + width_, gates, cell + half, at.cells.data() + t * width_ + half, half);
    }
}

void Sru::read(Scratch& at) const {
    const std::size_t n = at.words, step = padded(3 * width_);
    grow(at.y, n * in_);
    grow(at.z, n * in_);
    for (std::size_t t = 0; t < n; ++t) {
        normalize(norm_, at.x.data() + t * in_, at.y.data() + t * in_, in_);
    }
    for (std::size_t t = 0; t < n; ++t) {
        const float* middle = at.y.data() + t * in_;
        convolve(t == 0 ? nullptr : middle - in_, middle, t + 1 == n ? nullptr : middle + in_, conv_.data(),
                 conv_bias_.data(), at.z.data() + t * in_, in_);
    }
    at.times(gates_, at.z.data(), in_, n, at.gates);
    run(at);
    const bool plain = skip_.rows() == 0;
    if (!plain) at.times(skip_, at.x.data(), in_, n, at.skip);
    grow(at.x, n * width_);
    const float* skip = plain ? at.x.data() : at.skip.data();
    const std::size_t skip_step = plain ? in_ : padded(width_);
    for (std::size_t t = 0; t < n; ++t) {
        open_gate(at.gates.data() + t * step + 2 * width_, at.cells.data() + t * width_, skip + t * skip_step,
                  at.x.data() + t * width_, width_);
    }
}

}  // namespace plait::neural
