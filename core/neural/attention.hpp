// One layer of attention with places as rotations (Su et al. 2021), and its feed-forward net.
#pragma once

#include "core/neural/scratch.hpp"
#include "core/neural/tensors.hpp"

namespace plait::neural {

class Attention {
  public:
    Attention(Tensors& tensors, std::size_t width);

    // at.x, which it changes.
    void read(Scratch& at) const;

  private:
    void mix(Scratch& at) const;

    std::size_t width_;
    Norm norm1_, norm2_;
    Matrix qkv_, out_, ff1_, ff2_;
};

}  // namespace plait::neural
