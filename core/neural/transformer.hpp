// A pretrained transformer as the body of a net: pieces of words in, vectors of words out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/neural/body.hpp"
#include "core/neural/layers.hpp"
#include "core/neural/matrix.hpp"
#include "core/neural/tensors.hpp"

namespace plait::neural {

// Sentences one after the other, cut into pieces: of every piece the number, and the word it belongs to.
struct Pieces {
    std::vector<std::int32_t> numbers;
    std::vector<std::size_t> words;
    std::vector<std::size_t> ends;  // of the sentences
};

// As in BERT (Devlin et al. 2019): places have vectors of their own, and norms come after each step. Where
// there are weights for distances, attention adds them, as in MPNet (Song et al. 2020).
class Transformer {
  public:
    // Words that should be read together, so that weights need not be fetched anew for every sentence; and
    // how many pieces are, unless one window has more.
    static constexpr std::size_t at_once = 256, most_pieces = 512;

    struct Window {
        std::size_t first, last;  // pieces that are seen
        std::size_t kept, end;    // those whose vectors are used
    };
    // Room for as many pieces as are computed together; rows of pieces.
    struct Scratch {
        Rounded rounded;
        std::vector<Window> windows;
        std::vector<float> x, qkv, keys, scores, mixed, hidden, inner, blends;
        std::vector<float> counts;  // pieces by word
    };

    // invalid_argument for arrays that do not fit together.
    Transformer(Tensors& tensors, const EncoderShape& shape, Kernel kernel);

    std::size_t width() const { return width_; }
    std::size_t pieces() const { return word_scales_.size(); }

    // Of each of the words the mean of its pieces, mixed from all layers: once for tags, once for trees.
    void read(const Pieces& pieces, std::size_t words, float* tags, float* trees, Scratch& at) const;

  private:
    struct Layer {
        Matrix qkv, out, inner, outer;
        Norm attended, done;
    };

    void compute(const Pieces& pieces, float* tags, float* trees, Scratch& at) const;
    void embed(const Pieces& pieces, std::size_t count, Scratch& at) const;
    void attend(const Layer& layer, std::size_t count, Scratch& at) const;
    void blend(std::size_t number, std::size_t count, Scratch& at) const;
    void add_and_norm(const Matrix& matrix, const std::vector<float>& in, std::size_t step, const Norm& norm,
                      std::size_t count, Scratch& at) const;
    void times(const Matrix& matrix, const std::vector<float>& in, std::size_t step, std::size_t count,
               std::vector<float>& out, Scratch& at) const;

    Kernel kernel_;
    EncoderShape shape_;
    std::size_t width_, longest_;
    std::vector<std::int8_t> words_, places_;
    std::vector<float> word_scales_, place_scales_;
    Norm norm_;
    std::vector<Layer> layers_;
    std::vector<float> distances_;  // by head: of a key far before the query to one far behind it; or none
    std::vector<float> mixes_;      // shares of layers: for tags, then for trees
};

}  // namespace plait::neural
