// Kinds of words as vectors: that of the form beside what its spelling says.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/neural/spelling.hpp"

namespace plait::neural {

// Kinds of words: of each a row with the number of the word, those of its parts, and what else a body wants
// to know; -1 stands for nothing.
struct WordTypes {
    std::span<const std::int32_t> numbers;
    std::size_t width;
    std::size_t size() const { return width == 0 ? 0 : numbers.size() / width; }
    std::span<const std::int32_t> row(std::size_t number) const {
        return numbers.subspan(number * width, width);
    }
};

class Inputs {
  public:
    Inputs(Tensors& tensors, const std::string& spelling);

    std::size_t width() const { return words_.width + spelling_->width(); }
    std::size_t words() const { return words_.size(); }
    std::size_t parts() const { return spelling_->parts(); }

    // invalid_argument if this cannot be read: the number of a word and those of its parts.
    void check(std::span<const std::int32_t> row) const;
    void read(std::span<const std::int32_t> row, float* vector, Scratch& at) const;

  private:
    Table words_;
    std::unique_ptr<Spelling> spelling_;
};

}  // namespace plait::neural
