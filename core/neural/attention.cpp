#include "core/neural/attention.hpp"

#include <algorithm>
#include <cmath>

#include "core/cancel.hpp"

namespace plait::neural {

namespace {

constexpr std::size_t attention_heads = 8;
constexpr float rotary_base = 1000.0f;

}  // namespace

Attention::Attention(Tensors& tensors, std::size_t width) : width_(width) {
    Tensors::require(width % (2 * attention_heads) == 0, "att.qkv_w");
    norm1_ = tensors.norm("att.ln1", width);
    norm2_ = tensors.norm("att.ln2", width);
    qkv_ = tensors.matrix("att.qkv_w", "att.qkv_b", 3 * width, width);
    out_ = tensors.matrix("att.out_w", "att.out_b", width, width);
    const std::size_t inner = tensors.rows("att.ff1_w");
    Tensors::require(inner <= most_width * 4, "att.ff1_w");
    ff1_ = tensors.matrix("att.ff1_w", "att.ff1_b", inner, width);
    ff2_ = tensors.matrix("att.ff2_w", "att.ff2_b", width, inner);
}

void Attention::mix(Scratch& at) const {
    const std::size_t n = at.words, size = width_ / attention_heads, half = size / 2, room = padded(n);
    const std::size_t step = padded(3 * width_);
    for (; at.turned < n; ++at.turned) {
        for (std::size_t j = 0; j < half; ++j) {
            const float slowness =
                std::pow(rotary_base, -static_cast<float>(2 * j) / static_cast<float>(size));
            const float angle = static_cast<float>(at.turned) * slowness;
            at.turn_cos.push_back(std::cos(angle));
            at.turn_sin.push_back(std::sin(angle));
        }
    }
    grow(at.keys, size * room);
    grow(at.scores, room);
    grow(at.mixed, n * width_);
    std::fill_n(at.mixed.data(), n * width_, 0.0f);
    const float scale = 1.0f / std::sqrt(static_cast<float>(size));
    for (std::size_t head = 0; head < attention_heads; ++head) {
        check_cancelled();
        std::fill_n(at.keys.data(), size * room, 0.0f);
        for (std::size_t t = 0; t < n; ++t) {
            float* query = at.gates.data() + t * step + head * size;
            float* key = query + width_;
            const float *cosines = at.turn_cos.data() + t * half, *sines = at.turn_sin.data() + t * half;
            rotate(query, cosines, sines, size);
            rotate(key, cosines, sines, size);
            for (std::size_t i = 0; i < size; ++i) at.keys[i * room + t] = key[i];
        }
        const float* values = at.gates.data() + 2 * width_ + head * size;
        for (std::size_t t = 0; t < n; ++t) {
            std::fill_n(at.scores.data(), room, 0.0f);
            add_rows(at.gates.data() + t * step + head * size, size, at.keys.data(), room, at.scores.data(),
                     room);
            softmax(at.scores.data(), scale, n);
            add_rows(at.scores.data(), n, values, step, at.mixed.data() + t * width_ + head * size, size);
        }
    }
}

void Attention::read(Scratch& at) const {
    const std::size_t n = at.words, out = padded(width_), inner = padded(ff1_.rows());
    grow(at.y, n * width_);
    for (std::size_t t = 0; t < n; ++t) {
        normalize(norm1_, at.x.data() + t * width_, at.y.data() + t * width_, width_);
    }
    at.times(qkv_, at.y.data(), width_, n, at.gates);
    mix(at);
    at.times(out_, at.mixed.data(), width_, n, at.hidden);
    for (std::size_t t = 0; t < n; ++t) {
        add(at.hidden.data() + t * out, at.x.data() + t * width_, width_);
        normalize(norm2_, at.x.data() + t * width_, at.y.data() + t * width_, width_);
    }
    at.times(ff1_, at.y.data(), width_, n, at.hidden);
    gelu(at.hidden.data(), n * inner);
    at.times(ff2_, at.hidden.data(), inner, n, at.z);
    for (std::size_t t = 0; t < n; ++t) add(at.z.data() + t * out, at.x.data() + t * width_, width_);
}

}  // namespace plait::neural
