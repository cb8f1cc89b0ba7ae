#include "core/neural/layers.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

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
    const float factor = 1.0f / std::sqrt(total(squares) / static_cast<float>(size) + norm.epsilon);
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

// The error function by Abramowitz and Stegun (1964), 7.1.26: within 2e-7.
PLAIT_WIDEST void exact_gelu(float* values, std::size_t size) {
    constexpr float root_half = 0.70710678f;
    for (std::size_t i = 0; i < size; ++i) {
        const float x = values[i], z = std::fabs(x) * root_half;
        const float t = 1.0f / (1.0f + 0.3275911f * z);
        const float series =
            t * (0.254829592f +
                 t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f))));
        values[i] = at_least(x, 0.0f) - z * root_half * series * fast_exp(-z * z);
    }
}

PLAIT_WIDEST void leaky_relu(float* values, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) values[i] = values[i] > 0 ? values[i] : 0.1f * values[i];
}

PLAIT_WIDEST void hyperbolic(float* values, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) values[i] = fast_tanh(values[i]);
}

PLAIT_WIDEST void remember(const float* gates, float* cell, float* out, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        const float added = fast_sigmoid(gates[i]) * fast_tanh(gates[2 * size + i]);
        cell[i] = fast_sigmoid(gates[size + i]) * cell[i] + added;
        out[i] = fast_sigmoid(gates[3 * size + i]) * fast_tanh(cell[i]);
    }
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

PLAIT_WIDEST void add_bytes(const std::int8_t* more, float scale, float* sums, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) sums[i] += static_cast<float>(more[i]) * scale;
}

PLAIT_WIDEST void raise(const float* values, float* most, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) most[i] = values[i] > most[i] ? values[i] : most[i];
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

PLAIT_WIDEST std::size_t argmax(const float* values, std::size_t size) {
    float most[lanes];
    for (std::size_t j = 0; j < lanes; ++j) most[j] = -std::numeric_limits<float>::infinity();
    std::size_t i = 0;
    for (; i + lanes <= size; i += lanes) {
        for (std::size_t j = 0; j < lanes; ++j) most[j] = values[i + j] > most[j] ? values[i + j] : most[j];
    }
    for (; i < size; ++i) most[0] = values[i] > most[0] ? values[i] : most[0];
    float best = most[0];
    for (std::size_t j = 1; j < lanes; ++j) best = most[j] > best ? most[j] : best;
    for (i = 0; i < size; ++i) {
        if (values[i] == best) return i;
    }
    return 0;
}

}  // namespace plait::neural
