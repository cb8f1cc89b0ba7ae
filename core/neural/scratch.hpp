// What one thread writes while a net reads a sentence, kept from sentence to sentence.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/neural/matrix.hpp"

namespace plait::neural {

inline void grow(std::vector<float>& values, std::size_t size) {
    if (values.size() < size) values.resize(size);
}

// What only one kind of body knows.
struct BodyScratch {
    virtual ~BodyScratch() = default;
};

// Room for the longest sentence so far; rows of words, one behind the other unless said otherwise.
struct Scratch {
    explicit Scratch(Kernel own) : kernel(own) {}

    Kernel kernel;
    std::size_t words = 0;
    std::unique_ptr<BodyScratch> body;
    std::vector<const std::int32_t*> rows;  // what is for the body alone of the kinds of words
    std::vector<float> plain;               // words as they are, without their neighbours
    std::vector<float> tag_logits;          // of all columns, in rows of padded(their number)
    std::vector<float> vectors;  // of words among others, from the second row on; the first is free

    // Whoever comes next may write over these.
    Rounded rounded;
    std::vector<float> x, y, z, gates, cells, skip, hidden, scores, keys, mixed;

    std::vector<float> turn_cos, turn_sin;  // by place
    std::size_t turned = 0;
    std::vector<float> dependents, heads, mapped, mapped_columns, arcs, above, joint, both, label_logits;
    std::vector<std::size_t> row_of_head;

    // Products of `count` vectors that lie `step` apart, in rows of padded(matrix.rows()).
    void times(const Matrix& matrix, const float* in, std::size_t step, std::size_t count,
               std::vector<float>& out) {
        const std::size_t room = padded(matrix.rows());
        grow(out, count * room);
        rounded.round(kernel, in, count, matrix.columns(), step);
        matrix.times(kernel, rounded, count, out.data(), room);
    }
};

}  // namespace plait::neural
