#include "core/neural/layers.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/neural/widest.hpp"

#define PLAIT_INLINE [[gnu::always_inline]] inline

namespace plait::neural {

namespace {

constexpr std::size_t lanes = 16;

PLAIT_INLINE float at_least(float value, float low) { return value > low ? value : low; }  // low for NaN
PLAIT_INLINE float at_most(float value, float high) { return value < high ? value : high; }

// Within 3e-6 of the result; without branches, so that loops of it become vectors.
PLAIT_INLINE float fast_exp(float x) {
    constexpr float magic = 12582912.0f, log2e = 1.44269504f;
    const float t = at_most(at_least(x, -86.0f), 86.0f) * log2e;
    const float shifted = t + magic;
    const float f = t - (shifted - magic);
    const std::int32_t whole = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(magic);
    const float power =
        1.0f +
        f * (0.69314718f + f * (0.24022651f + f * (0.05550411f + f * (0.00961813f + f * (0.00133336f)))));
    return std::bit_cast<float>(std::bit_cast<std::int32_t>(power) + (whole << 23));
}

PLAIT_INLINE float fast_sigmoid(float x) { return 1.0f / (1.0f + fast_exp(-x)); }
PLAIT_INLINE float fast_tanh(float x) { return 1.0f - 2.0f / (1.0f + fast_exp(2.0f * x)); }

// Sums by lanes: floats are added in an order that vectors can keep.
PLAIT_INLINE float total(const float* sums) {
    float sum = 0;
    for (std::size_t j = 0; j < lanes; ++j) sum += sums[j];
    return sum;
}

}  // namespace

PLAIT_WIDEST void normalize(const Norm& norm, const float* in, float* out, std::size_t size) {
    float sums[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= size; i += lanes) {
        for (std::size_t j = 0; j < lanes; ++j) sums[j] += in[i + j];
    }
    for (; i < size; ++i) sums[0] += in[i];
    const float mean = total(sums) / static_cast<float>(size);
    float squares[lanes] = {};
    for (i = 0; i + lanes <= size; i += lanes) {
        for (std::size_t j = 0; j < lanes; ++j) squares[j] += (in[i + j] - mean) * (in[i + j] - mean);
    }
    for (; i < size; ++i) squares[0] += (in[i] - mean) * (in[i] - mean);
    const float factor = 1.0f / std::sqrt(total(squares) / static_cast<float>(size) + 1e-5f);
    const float *gain = norm.gain.data(), *bias = norm.bias.data();
    for (i = 0; i < size; ++i) out[i] = (in[i] - mean) * factor * gain[i] + bias[i];
}

PLAIT_WIDEST void convolve(const float* before, const float* middle, const float* after, const float* weights,
                           const float* bias, float* out, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) out[i] = bias[i] + middle[i] * (1.0f + weights[size + i]);
    if (before != nullptr) {
        for (std::size_t i = 0; i < size; ++i) out[i] += before[i] * weights[i];
    }
    if (after != nullptr) {
        for (std::size_t i = 0; i < size; ++i) out[i] += after[i] * weights[2 * size + i];
    }
}

PLAIT_WIDEST void sigmoid(float* values, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) values[i] = fast_sigmoid(values[i]);
}

PLAIT_WIDEST void gelu(float* values, std::size_t size) {
    constexpr float factor = 0.7978845608f;  // the root of 2 / pi
    for (std::size_t i = 0; i < size; ++i) {
        const float x = values[i];
        values[i] = 0.5f * x * (1.0f + fast_tanh(factor * (x + 0.044715f * x * x * x)));
    }
}

PLAIT_WIDEST void leaky_relu(float* values, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) values[i] = values[i] > 0 ? values[i] : 0.1f * values[i];
}

PLAIT_WIDEST void recur(const float* forget, const float* update, float* cell, float* out, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        cell[i] = forget[i] * cell[i] + (1.0f - forget[i]) * update[i];
        out[i] = cell[i];
    }
}

PLAIT_WIDEST void open_gate(const float* gate, const float* cell, const float* skip, float* out,
                            std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) out[i] = gate[i] * fast_tanh(cell[i]) + skip[i];
}

PLAIT_WIDEST void add(const float* more, float* sums, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) sums[i] += more[i];
}

PLAIT_WIDEST void rotate(float* values, const float* cosines, const float* sines, std::size_t size) {
    for (std::size_t i = 0; i < size / 2; ++i) {
        const float even = values[2 * i], odd = values[2 * i + 1];
        values[2 * i] = even * cosines[i] - odd * sines[i];
        values[2 * i + 1] = even * sines[i] + odd * cosines[i];
    }
}

PLAIT_WIDEST void add_rows(const float* factors, std::size_t count, const float* rows, std::size_t step,
                           float* sums, std::size_t size) {
    constexpr std::size_t wide = 2 * lanes;
    std::size_t first = 0;
    for (; first + wide <= size; first += wide) {
        float own[wide];
        for (std::size_t j = 0; j < wide; ++j) own[j] = sums[first + j];
        for (std::size_t k = 0; k < count; ++k) {
            const float* row = rows + k * step + first;
            for (std::size_t j = 0; j < wide; ++j) own[j] += factors[k] * row[j];
        }
        for (std::size_t j = 0; j < wide; ++j) sums[first + j] = own[j];
    }
    for (; first + lanes <= size; first += lanes) {
        float own[lanes];
        for (std::size_t j = 0; j < lanes; ++j) own[j] = sums[first + j];
        for (std::size_t k = 0; k < count; ++k) {
            const float* row = rows + k * step + first;
            for (std::size_t j = 0; j < lanes; ++j) own[j] += factors[k] * row[j];
        }
        for (std::size_t j = 0; j < lanes; ++j) sums[first + j] = own[j];
    }
    if (first == size) return;
    for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t i = first; i < size; ++i) sums[i] += factors[k] * rows[k * step + i];
    }
}

PLAIT_WIDEST void softmax(float* scores, float scale, std::size_t size) {
    float most = scores[0];
    for (std::size_t i = 1; i < size; ++i) most = scores[i] > most ? scores[i] : most;
    for (std::size_t i = 0; i < size; ++i) scores[i] = fast_exp((scores[i] - most) * scale);
    float sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += scores[i];
    const float share = 1.0f / sum;
    for (std::size_t i = 0; i < size; ++i) scores[i] *= share;
}

float log_sum(const float* scores, std::size_t size) {
    float most = scores[0];
    for (std::size_t i = 1; i < size; ++i) most = scores[i] > most ? scores[i] : most;
    float sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += fast_exp(scores[i] - most);
    return most + std::log(sum);
}

PLAIT_WIDEST float dot(const float* one, const float* other, std::size_t size) {
    float sums[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= size; i += lanes) {
        for (std::size_t j = 0; j < lanes; ++j) sums[j] += one[i + j] * other[i + j];
    }
    for (; i < size; ++i) sums[0] += one[i] * other[i];
    return total(sums);
}

std::size_t argmax(const float* values, std::size_t size) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < size; ++i) {
        if (values[i] > values[best]) best = i;
    }
    return best;
}

}  // namespace plait::neural
