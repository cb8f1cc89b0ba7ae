// One net: words in, scores of tags, arcs and labels out, a sentence at a time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/neural/biaffine.hpp"
#include "core/neural/body.hpp"
#include "core/neural/inputs.hpp"

namespace plait::neural {

class Net {
  public:
    // invalid_argument for arrays that do not fit together.
    Net(Tensors tensors, const NetShape& shape, Kernel kernel);

    Kernel kernel() const { return kernel_; }
    const Inputs& inputs() const { return inputs_; }
    const Body& body() const { return *body_; }
    const Biaffine& trees() const { return trees_; }
    std::size_t labels() const { return trees_.labels(); }
    const Tags& tags() const { return body_->tags(); }

    void check(const WordTypes& types) const;
    // Of all kinds, one behind the other.
    std::vector<float> vectors(const WordTypes& types, int threads) const;
    // The sentences that will be read next: their words, and where each ends.
    void prepare(const WordTypes& types, std::span<const std::int32_t> words,
                 std::span<const std::size_t> ends, Scratch& at) const;
    // Words as numbers of their kinds, into at.tag_logits, at.vectors and at.arcs.
    void read(const WordTypes& types, const std::vector<float>& vectors, std::span<const std::int32_t> words,
              Scratch& at) const;

  private:
    const std::int32_t* own_row(const WordTypes& types, std::int32_t word) const;

    Kernel kernel_;
    Inputs inputs_;
    std::unique_ptr<Body> body_;
    Biaffine trees_;
};

}  // namespace plait::neural
