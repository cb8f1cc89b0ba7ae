// The layer of Lei et al. (2018), half of the units each way, behind a convolution of three words.
#pragma once

#include <string>

#include "core/neural/recurrent.hpp"

namespace plait::neural {

class Sru : public Layer {
  public:
    Sru(Tensors& tensors, const std::string& at, std::size_t in, std::size_t width);

    void read(Scratch& at) const override;

  private:
    void run(Scratch& at) const;

    std::size_t in_, width_;
    Norm norm_;
    std::vector<float> conv_, conv_bias_;
    Matrix gates_, skip_;  // a skip without rows: the input itself
};

}  // namespace plait::neural
