// The layer of Hochreiter and Schmidhuber (1997), half of the units each way.
#pragma once

#include <string>

#include "core/neural/recurrent.hpp"

namespace plait::neural {

class Lstm : public Layer {
  public:
    Lstm(Tensors& tensors, const std::string& at, std::size_t in, std::size_t width);

    void read(Scratch& at) const override;

  private:
    std::size_t in_, each_way_;
    Matrix input_;  // gates of the way forth, then of the way back
    Matrix forth_, back_;
};

}  // namespace plait::neural
