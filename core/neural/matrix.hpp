// Matrices of int8 with a scale for every row, times vectors that are rounded to int8 with a scale each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace plait::neural {

inline constexpr std::size_t lanes = 16;              // rows that are multiplied together
inline constexpr std::size_t most_columns = 1 << 14;  // sums of as many products of bytes fit into 32 bits

constexpr std::size_t padded(std::size_t size) { return (size + lanes - 1) / lanes * lanes; }

// How products are computed: all kernels give the same sums.
enum class Kernel { plain, avx2, vnni };
std::vector<std::string> kernels();  // those that this machine has, the fastest first
Kernel kernel_of(
    const std::string& name);  // the fastest for an empty name; invalid_argument for one not there

// Vectors as bytes. Those of VNNI are unsigned, 128 more than the value.
struct Rounded {
    std::vector<std::uint8_t> bytes;
    std::vector<float> units;
    std::size_t stride = 0;

    // From `count` vectors of `size` numbers; `step` floats lie between the beginnings of two.
    void round(Kernel kernel, const float* vectors, std::size_t count, std::size_t size, std::size_t step);
};

class Matrix {
  public:
    Matrix() = default;

    // More rows, below those there are: `weights` row by row. Without biases they are zero.
    void append(std::size_t columns, std::span<const std::int8_t> weights, std::span<const float> scales,
                std::span<const float> biases);

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }

    // products[i * step + row], for `count` vectors; of every product padded(rows()) floats are written.
    void times(Kernel kernel, const Rounded& vectors, std::size_t count, float* products,
               std::size_t step) const;

    // In blocks of 16 rows: of four columns at a time, the four weights of the first row, of the second ...
    const std::int8_t* block(std::size_t number) const { return packed_.data() + number * block_bytes(); }
    std::size_t block_bytes() const { return groups() * 4 * lanes; }
    std::size_t blocks() const { return scales_.size() / lanes; }
    std::size_t groups() const { return (columns_ + 3) / 4; }
    const float* scales() const { return scales_.data(); }
    const float* biases() const { return biases_.data(); }
    const std::int32_t* starts() const { return starts_.data(); }  // -128 times the sum of a row

  private:
    std::size_t rows_ = 0, columns_ = 0;
    std::vector<std::int8_t> packed_;
    std::vector<float> scales_, biases_;
    std::vector<std::int32_t> starts_;
};

}  // namespace plait::neural
