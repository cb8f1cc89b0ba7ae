// The body of a net that is a pretrained transformer, with the net's own vectors of words added.
#pragma once

#include <optional>

#include "core/neural/body.hpp"
#include "core/neural/transformer.hpp"

namespace plait::neural {

class EncoderBody : public Body {
  public:
    EncoderBody(Tensors& tensors, const NetShape& shape, std::size_t in, Kernel kernel);

    std::size_t width() const override { return transformer_.width(); }
    const Tags& tags() const override { return *tags_; }
    std::size_t columns() const override;
    void check(std::span<const std::int32_t> row) const override;
    std::size_t at_once() const override;
    void prepare(const Ahead& ahead, Scratch& at) const override;
    void read(Scratch& at) const override;

  private:
    std::size_t in_;
    Transformer transformer_;
    Matrix own_;
    Norm tag_norm_, final_;
    std::optional<Tags> tags_;
};

}  // namespace plait::neural
