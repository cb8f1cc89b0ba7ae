// Tags and lemma scripts, read off the vectors of words.
#pragma once

#include <array>
#include <span>

#include "core/neural/scratch.hpp"
#include "core/neural/tensors.hpp"

namespace plait::neural {

inline constexpr std::size_t tag_columns = 4, script_column = 3;  // upos, xpos, feats, script
inline constexpr std::array<const char*, tag_columns> column_names{"upos", "xpos", "feats", "script"};

class Tags {
  public:
    // Of vectors of `width` numbers beside words as they are, of `in` numbers.
    Tags(Tensors& tensors, std::size_t width, std::size_t in);

    std::span<const std::size_t, tag_columns> sizes() const { return sizes_; }
    std::size_t size() const { return out_.rows(); }  // of all columns together

    // From at.plain and these vectors into at.tag_logits.
    void read(const float* vectors, Scratch& at) const;

  private:
    std::size_t width_, in_;
    std::array<std::size_t, tag_columns> sizes_;
    Norm norm_;
    Matrix hidden_, out_;
};

}  // namespace plait::neural
