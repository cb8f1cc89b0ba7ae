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
// adds in every place of a window is known beforehand, so that a window is a sum of a few rows; unless all of
// that would be far more than what it is found from, which could be a model made to fill the memory.
class Letters : public Spelling {
  public:
    explicit Letters(Tensors& tensors);

    std::size_t width() const override { return out_.rows(); }
    std::size_t parts() const override { return letters_.size(); }
    void read(std::span<const std::int32_t> numbers, float* vector, Scratch& at) const override;

  private:
    static constexpr std::array<std::size_t, 3> sizes{2, 3, 4};
    static constexpr std::size_t places = 2 + 3 + 4;  // in windows of all sizes

    // The weights of windows of one size.
    struct Filter {
        std::vector<std::int8_t> weights;
        std::vector<float> scales, biases;
    };

    // What a letter adds to all channels in one place of the windows of a size; `first` is the place of the
    // first one among those of all sizes.
    const float* shares(std::size_t letter, std::size_t size, std::size_t first, std::size_t place,
                        Scratch& at) const;
    void add_up(std::size_t letter, std::size_t size, std::size_t place, float* sums, Scratch& at) const;

    Table letters_;
    std::size_t channels_ = 0;
    std::array<Filter, sizes.size()> filters_;
    std::vector<float> shares_;  // by letter, place and channel; none if there are too many
    Matrix out_;
};

std::unique_ptr<Spelling> make_spelling(Tensors& tensors, const std::string& kind);

}  // namespace plait::neural
