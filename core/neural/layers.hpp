// What a net does to vectors of floats beside products with matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plait::neural {

struct Norm {
    std::vector<float> gain, bias;
    float epsilon = 1e-5f;
};

// out may be in.
void normalize(const Norm& norm, const float* in, float* out, std::size_t size);

// out = middle + bias + the sum of the three neighbours by their weights; a neighbour that is not there is
// null. Weights of the neighbours lie one after the other.
void convolve(const float* before, const float* middle, const float* after, const float* weights,
              const float* bias, float* out, std::size_t size);

void sigmoid(float* values, std::size_t size);
void gelu(float* values, std::size_t size);  // by tanh
void exact_gelu(float* values, std::size_t size);
void leaky_relu(float* values, std::size_t size);
void hyperbolic(float* values, std::size_t size);  // tangents

// cell = forget * cell + (1 - forget) * update; out = the cell.
void recur(const float* forget, const float* update, float* cell, float* out, std::size_t size);
// The cell of Hochreiter and Schmidhuber (1997): gates of input, forgetting, update and output, `size` of
// each.
void remember(const float* gates, float* cell, float* out, std::size_t size);
// out = gate * tanh(cell) + skip
void open_gate(const float* gate, const float* cell, const float* skip, float* out, std::size_t size);

void add(const float* more, float* sums, std::size_t size);
void add_bytes(const std::int8_t* more, float scale, float* sums, std::size_t size);
// The larger of both.
void raise(const float* values, float* most, std::size_t size);

// Pairs of neighbours turned by angles with these cosines and sines; size is even.
void rotate(float* values, const float* cosines, const float* sines, std::size_t size);

// sums[i] += the sum over k of factors[k] * rows[k * step + i]
void add_rows(const float* factors, std::size_t count, const float* rows, std::size_t step, float* sums,
              std::size_t size);

// Into probabilities; the scale first. Returns nothing else: for attention.
void softmax(float* scores, float scale, std::size_t size);
// The logarithm of the sum of the exponentials.
float log_sum(const float* scores, std::size_t size);

float dot(const float* one, const float* other, std::size_t size);
// The first of the largest.
std::size_t argmax(const float* values, std::size_t size);

}  // namespace plait::neural
