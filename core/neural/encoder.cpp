#include "core/neural/encoder.hpp"

#include <algorithm>

namespace plait::neural {

namespace {

constexpr std::size_t most_pieces = 8;  // of a word

// Vectors of words of which none has been read yet.
struct Prepared : BodyScratch {
    Transformer::Scratch scratch;
    Pieces pieces;
    std::vector<float> tags, trees;
    std::size_t next = 0, words = 0;
};

}  // namespace

EncoderBody::EncoderBody(Tensors& tensors, const NetShape& shape, std::size_t in, Kernel kernel)
    : in_(in), transformer_(tensors, shape.encoder, kernel) {
    own_ = tensors.matrix("own.w", "own.b", width(), in);
    tag_norm_ = tensors.norm("own.ln", width());
    final_ = tensors.norm("final.ln", width());
    tags_.emplace(tensors, width(), in);
}

std::size_t EncoderBody::columns() const { return most_pieces; }

std::size_t EncoderBody::at_once() const { return Transformer::at_once; }

void EncoderBody::check(std::span<const std::int32_t> row) const {
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::int64_t piece = row[i];
        if (piece < (i == 0 ? 0 : -1) || piece >= static_cast<std::int64_t>(transformer_.pieces())) {
            throw std::invalid_argument("the number of a piece is out of range");
        }
    }
}

void EncoderBody::prepare(const Ahead& ahead, Scratch& at) const {
    if (!at.body) at.body = std::make_unique<Prepared>();
    Prepared& own = static_cast<Prepared&>(*at.body);
    own.pieces.numbers.clear();
    own.pieces.words.clear();
    own.pieces.ends.clear();
    std::size_t word = 0;
    for (const std::size_t end : ahead.ends) {
        for (; word < end; ++word) {
            for (std::size_t i = 0; i < most_pieces && ahead.rows[word][i] >= 0; ++i) {
                own.pieces.numbers.push_back(ahead.rows[word][i]);
                own.pieces.words.push_back(word);
            }
        }
        own.pieces.ends.push_back(own.pieces.numbers.size());
    }
    own.words = word;
    own.next = 0;
    grow(own.tags, word * width());
    grow(own.trees, word * width());
    transformer_.read(own.pieces, word, own.tags.data(), own.trees.data(), own.scratch);
}

void EncoderBody::read(Scratch& at) const {
    const std::size_t n = at.words, width = this->width(), room = padded(width);
    const Prepared* own = static_cast<Prepared*>(at.body.get());
    if (own == nullptr || own->next == own->words) {
        const std::size_t ends[] = {n};
        prepare({at.rows, ends}, at);
        own = static_cast<Prepared*>(at.body.get());
    }
    const float *tags = own->tags.data() + own->next * width, *trees = own->trees.data() + own->next * width;
    static_cast<Prepared*>(at.body.get())->next += n;
    at.times(own_, at.plain.data(), in_, n, at.gates);
    grow(at.y, n * width);
    grow(at.vectors, (n + 1) * width);
    for (std::size_t t = 0; t < n; ++t) {
        float *tag = at.y.data() + t * width, *tree = at.vectors.data() + (t + 1) * width;
        std::copy_n(tags + t * width, width, tag);
        std::copy_n(trees + t * width, width, tree);
        add(at.gates.data() + t * room, tag, width);
        add(at.gates.data() + t * room, tree, width);
        normalize(tag_norm_, tag, tag, width);
        normalize(final_, tree, tree, width);
    }
    tags_->read(at.y.data(), at);
}

}  // namespace plait::neural
