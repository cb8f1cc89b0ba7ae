// What makes vectors of words among others out of words as they are, with the tags on its way.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/neural/scratch.hpp"
#include "core/neural/tags.hpp"
#include "core/neural/tensors.hpp"

namespace plait::neural {

// What the arrays of a pretrained encoder do not say.
struct EncoderShape {
    std::size_t heads = 0;
    std::int32_t begin = 0, end = 0;  // the pieces around a sentence
    float epsilon = 0;                // of its norms
};

// What a net is like beside its arrays. Tags are read off after a layer, counted from 1; with `feed` they are
// input of the next one.
struct NetShape {
    std::string body = "sru", spelling = "grams";
    std::size_t tag_layer = 2;
    bool feed = false, attention = true;
    EncoderShape encoder = {};  // of a body that is one
};

// Sentences that follow each other: rows of the kinds of their words, and where each sentence ends.
struct Ahead {
    std::span<const std::int32_t* const> rows;
    std::span<const std::size_t> ends;
};

class Body {
  public:
    virtual ~Body() = default;

    virtual std::size_t width() const = 0;  // of the vectors
    virtual const Tags& tags() const = 0;

    // How many of the last numbers in the rows of kinds of words are for the body alone.
    virtual std::size_t columns() const { return 0; }
    virtual void check(std::span<const std::int32_t>) const {}  // invalid_argument if it cannot read them

    // How many words should be read together, and a look ahead at the sentences that will be read next.
    virtual std::size_t at_once() const { return 1; }
    virtual void prepare(const Ahead&, Scratch&) const {}

    // From at.plain into at.tag_logits and at.vectors, whose first row is left alone.
    virtual void read(Scratch& at) const = 0;
};

// invalid_argument for one that there is not, or arrays that do not fit together. Words have `in` numbers.
std::unique_ptr<Body> make_body(Tensors& tensors, const NetShape& shape, std::size_t in, Kernel kernel);

}  // namespace plait::neural
