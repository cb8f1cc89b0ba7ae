// A recurrent net with attention that reads words and writes tags and a tree, a sentence at a time.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/neural/layers.hpp"
#include "core/neural/matrix.hpp"
#include "core/neural/tensors.hpp"

namespace plait::neural {

inline constexpr std::size_t tag_columns = 4;  // upos, xpos, feats, script
inline constexpr std::array<const char*, tag_columns> column_names{"upos", "xpos", "feats", "script"};

// Kinds of words: of each a row with the number of the word and those of its parts; -1 stands for nothing.
struct WordTypes {
    std::span<const std::int32_t> numbers;
    std::size_t width;
    std::size_t size() const { return width == 0 ? 0 : numbers.size() / width; }
};

// Sentences one after the other, words as numbers of their kinds. Given heads are -1 where there is none; the
// list may be empty.
struct Batch {
    WordTypes types;
    std::span<const std::int32_t> words;
    std::span<const std::int64_t> offsets;
    std::span<const std::int32_t> given;
    double price;  // of arcs that cross
};

// One entry for every word of a batch, of tags one for every column.
struct Found {
    std::vector<std::int32_t> heads, labels, tags;
    std::vector<float> probabilities;  // of the heads
};

// Of one sentence, for whoever wants to look: rows of words.
struct Logits {
    std::vector<float> tags, arcs, labels;
};

class Net {
  public:
    // invalid_argument for arrays that do not fit together.
    Net(Tensors tensors, std::size_t tag_layer, Kernel kernel);

    Found run(const Batch& batch, int threads) const;
    Logits look(const Batch& batch) const;  // a batch of one sentence

    std::size_t labels() const { return labels_; }
    std::span<const std::size_t, tag_columns> tags() const { return tags_; }
    std::size_t words() const { return word_scales_.size(); }
    std::size_t parts() const { return part_scales_.size(); }

  private:
    struct Layer {
        std::size_t in;
        Norm norm;
        std::vector<float> conv, conv_bias;
        Matrix gates, skip;  // a skip without rows: the input itself
    };
    struct Scratch;

    void read_words(const WordTypes& types, std::size_t number, float* vector) const;
    void recur(const Layer& layer, Scratch& at) const;
    void tag(Scratch& at) const;
    void attend(Scratch& at) const;
    void score_arcs(Scratch& at) const;
    void score_labels(Scratch& at, std::span<const std::int32_t> heads) const;
    void read(const Batch& batch, const float* vectors, std::size_t sentence, Scratch& at) const;
    void check(const Batch& batch) const;
    std::vector<float> vectors(const WordTypes& types, int threads) const;
    void times(const Matrix& matrix, const std::vector<float>& in, std::size_t step, std::size_t count,
               std::vector<float>& out, Scratch& at) const;

    Kernel kernel_;
    std::size_t word_dim_, part_dim_, in_, width_, tag_layer_;
    std::vector<std::int8_t> words_, parts_;
    std::vector<float> word_scales_, part_scales_;
    std::vector<Layer> layers_;
    Norm tag_norm_, norm1_, norm2_, final_;
    Matrix tag_hidden_, tag_out_, qkv_, attention_out_, ff1_, ff2_;
    std::array<std::size_t, tag_columns> tags_;
    std::vector<float> root_, arc_v_;
    std::size_t arc_, label_, labels_;
    Matrix dependents_, heads_;  // arcs first, then labels
    Matrix arc_u_, label_m_, label_p_;
};

}  // namespace plait::neural
