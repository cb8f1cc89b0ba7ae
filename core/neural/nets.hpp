// Nets that know the same classes judge together: the mean of their probabilities, and the best tree of it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/neural/decoder.hpp"
#include "core/neural/net.hpp"

namespace plait::neural {

// Sentences that are longer are read in pieces of so many words and others before and after them.
inline constexpr std::size_t most_at_once = 1024, piece = 256, around = 128;

// Sentences one after the other, words as numbers of their kinds, of which each net has its own table. Given
// heads are -1 where there is none; the list may be empty.
struct Batch {
    std::vector<WordTypes> types;
    std::span<const std::int32_t> words;
    std::span<const std::int64_t> offsets;
    std::span<const std::int32_t> given;
    std::size_t best = 1;      // trees per sentence
    float temperature = 1.0f;  // scores of arcs are divided by it before they become probabilities of heads
    bool vectors = false;      // whether those of the words are wanted
};

// So many lemma scripts of a word are told, the best first, for a lexicon to choose among them.
inline constexpr std::size_t script_choices = 8;

// One entry for every word of a batch, of tags one for every column, and of scripts the best ones: -1 where a
// net has fewer. Heads, labels and scores of sentences are those of the best trees, then of the second best
// ...; the score of a tree that was not found is -infinity.
struct Found {
    std::vector<std::int32_t> heads, labels, tags, scripts;
    std::vector<float> probabilities;  // of the heads of the best trees
    std::vector<float> vectors;        // if they are wanted: of every word those of all nets
    std::vector<double> scores;
};

// Of all words of a batch: vectors of the first net after its last layer, and scores of arcs: n + 1 of each
// of the n words of a sentence.
struct Readings {
    std::vector<float> vectors, arcs;
};

// Of one sentence, for whoever wants to look: rows of words. Of several nets, logarithms of probabilities.
struct Logits {
    std::vector<float> tags, arcs, labels;
};

class Nets {
  public:
    // invalid_argument if there is none, or they do not have the same number of classes.
    explicit Nets(std::vector<std::shared_ptr<Net>> nets);

    // Sentences that are read in pieces have spanning trees, whatever the decoder is.
    Found run(const Batch& batch, const Decoder& decoder, int threads) const;
    Readings read(const Batch& batch, int threads) const;           // sentences that are read at once
    Logits look(const Batch& batch, const Decoder& decoder) const;  // one of them
    // Logits of labels, of one of them under as many heads of all its words as there are rows.
    std::vector<float> label(const Batch& batch, std::span<const std::int32_t> heads) const;

    std::size_t labels() const { return nets_.front()->labels(); }
    const Tags& tags() const { return nets_.front()->tags(); }
    std::size_t width() const;  // of the vectors of words
    std::size_t first_width() const { return nets_.front()->body().width(); }

  private:
    using Vectors = std::vector<std::vector<float>>;
    using Scratches = std::vector<Scratch>;

    void check(const Batch& batch) const;
    Vectors vectors(const Batch& batch, int threads) const;
    Scratches scratches() const;
    // Words of a sentence; what all nets find comes together in the scratch of the first.
    void read(const Batch& batch, const Vectors& vectors, std::size_t first, std::size_t size,
              Scratches& at) const;
    void score_labels(std::span<const LabelRows> rows, std::span<const std::int32_t> heads,
                      Scratches& at) const;
    std::vector<LabelRows> label_rows(const Scratches& at) const;

    // Sentences whose words the nets want to read together: the first of each group, and the end.
    std::vector<std::size_t> groups(const Batch& batch) const;
    void prepare(const Batch& batch, std::size_t from, std::size_t to, Scratches& at) const;
    // Calls `use(sentence, scratches)` for all sentences that have words.
    template <typename Use>
    void each(const Batch& batch, int threads, Use use) const;
    Reading reading(const Scratch& at) const {
        return {at.vectors.data() + first_width(),
                first_width(),
                {at.arcs.data(), padded(at.words + 1), at.words}};
    }

    // A sentence.
    void read_whole(const Batch& batch, const Vectors& vectors, std::size_t sentence, const Decoder& decoder,
                    Scratches& at, Found& found) const;
    void read_in_pieces(const Batch& batch, const Vectors& vectors, std::size_t sentence,
                        const Decoder& decoder, Scratches& at, Found& found) const;
    // What the scratch says of some of its words goes to so many places of what was found.
    void put_tags(const Scratches& at, std::size_t from, std::size_t first, std::size_t size,
                  Found& found) const;
    void put_labels(const Scratch& at, std::size_t first, std::size_t size, Found& found) const;

    std::vector<std::shared_ptr<Net>> nets_;
};

}  // namespace plait::neural
