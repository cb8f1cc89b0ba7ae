// What the spelling of a word says: hashed parts of it, or its letters.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/neural/scratch.hpp"
#include "core/neural/tensors.hpp"

namespace plait::neural {

// Rows of bytes with a scale each.
struct Table {
    Table(Tensors& tensors, const std::string& name);

    std::size_t size() const { return scales.size(); }
    void add_row(std::size_t number, float* sums) const;

    std::size_t width;
    std::vector<std::int8_t> bytes;
    std::vector<float> scales;
};

class Spelling {
  public:
    virtual ~Spelling() = default;

    virtual std::size_t width() const = 0;  // of its vectors
    virtual std::size_t parts() const = 0;  // that there are
    // Parts by number, -1 for none, into a vector.
    virtual void read(std::span<const std::int32_t> numbers, float* vector, Scratch& at) const = 0;
};

// The mean of the vectors of all parts.
class Grams : public Spelling {
  public:
    explicit Grams(Tensors& tensors) : grams_(tensors, "embed.grams") {}

    std::size_t width() const override { return grams_.width; }
    std::size_t parts() const override { return grams_.size(); }
    void read(std::span<const std::int32_t> numbers, float* vector, Scratch& at) const override;

  private:
    Table grams_;
};

// Convolutions over two, three and four letters, of which each channel keeps the largest value. What a letter
// adds in every place of a window is known beforehand, so that a window is a sum of a few rows.
class Letters : public Spelling {
  public:
    explicit Letters(Tensors& tensors);

    std::size_t width() const override { return out_.rows(); }
    std::size_t parts() const override { return letters_; }
    void read(std::span<const std::int32_t> numbers, float* vector, Scratch& at) const override;

  private:
    static constexpr std::array<std::size_t, 3> sizes{2, 3, 4};
    static constexpr std::size_t places = 2 + 3 + 4;  // in windows of all sizes

    std::size_t letters_, channels_;
    std::vector<float> shares_;  // by letter, place and channel
    std::array<std::vector<float>, sizes.size()> biases_;
    Matrix out_;
};

std::unique_ptr<Spelling> make_spelling(Tensors& tensors, const std::string& kind);

}  // namespace plait::neural
