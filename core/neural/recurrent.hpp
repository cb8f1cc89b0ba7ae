// Recurrent layers with the tags between them, and attention on top.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/neural/attention.hpp"
#include "core/neural/body.hpp"

namespace plait::neural {

class Layer {
  public:
    virtual ~Layer() = default;

    // at.x becomes another at.x.
    virtual void read(Scratch& at) const = 0;
};

// Tags as further input of a layer: vectors of all classes of a column, weighted by their probabilities.
class Fed {
  public:
    Fed(Tensors& tensors, const Tags& tags);

    std::size_t width() const;
    // From at.tag_logits to the right of at.x, whose rows have `before` numbers.
    void read(std::size_t before, Scratch& at) const;

  private:
    std::array<std::size_t, tag_columns> sizes_;
    std::size_t all_;
    std::array<Matrix, 3> columns_;  // all but lemma scripts
};

class RecurrentBody : public Body {
  public:
    RecurrentBody(Tensors& tensors, const NetShape& shape, std::size_t in);

    std::size_t width() const override { return width_; }
    const Tags& tags() const override { return *tags_; }
    void read(Scratch& at) const override;

  private:
    std::size_t in_, width_, tag_layer_;
    std::vector<std::unique_ptr<Layer>> layers_;
    std::optional<Tags> tags_;
    std::optional<Fed> fed_;
    std::optional<Attention> attention_;
    Norm final_;
};

}  // namespace plait::neural
