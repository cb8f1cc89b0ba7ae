#include "core/neural/transformer.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/cancel.hpp"

namespace plait::neural {

namespace {

constexpr std::size_t around = 2;  // pieces beside those of the words

// A long sentence in windows that overlap by a quarter; a piece is taken from the one it is further inside
// of.
void cut(std::size_t first, std::size_t last, std::size_t size, std::vector<Transformer::Window>& windows) {
    std::size_t start = first, kept = first;
    while (last - start > size) {
        const std::size_t end = start + size, next = std::min(end - size / 4, last - size);
        const std::size_t middle = next + (end - next) / 2;
        windows.push_back({start, end, kept, middle});
        start = next;
        kept = middle;
    }
    windows.push_back({start, last, kept, last});
}

std::size_t length(const Transformer::Window& window) { return window.last - window.first + around; }

}  // namespace

Transformer::Transformer(Tensors& tensors, const EncoderShape& shape, Kernel kernel)
    : kernel_(kernel), shape_(shape) {
    const auto table = [&](const std::string& name, auto& bytes, auto& scales) {
        const std::size_t rows = tensors.rows(name);
        const auto found = tensors.bytes(name, rows, width_);
        bytes.assign(found.begin(), found.end());
        scales = tensors.list(name + ".scale", rows);
    };
    const auto norm = [&](const std::string& name) {
        Norm found = tensors.norm(name, width_);
        found.epsilon = shape.epsilon;
        return found;
    };
    width_ = tensors.columns("encoder.words");
    Tensors::require(width_ <= most_width, "encoder.words");
    if (shape.heads == 0 || width_ % shape.heads != 0 || !(shape.epsilon > 0) || !(shape.epsilon < 1)) {
        throw std::invalid_argument("an encoder has no such heads or norms");
    }
    table("encoder.words", words_, word_scales_);
    table("encoder.places", places_, place_scales_);
    longest_ = place_scales_.size();
    Tensors::require(longest_ >= around + 2 && longest_ <= 1 << 16, "encoder.places");
    for (const std::int32_t piece : {shape.begin, shape.end}) {
        if (piece < 0 || static_cast<std::size_t>(piece) >= pieces()) {
            throw std::invalid_argument("the number of a piece is out of range");
        }
    }
    norm_ = norm("encoder.ln");
    for (std::size_t i = 0; tensors.has("encoder" + std::to_string(i) + ".qkv_w"); ++i) {
        const std::string at = "encoder" + std::to_string(i) + ".";
        const std::size_t inner = tensors.rows(at + "ff1_w");
        Layer layer;
        layer.qkv = tensors.matrix(at + "qkv_w", at + "qkv_b", 3 * width_, width_);
        layer.out = tensors.matrix(at + "out_w", at + "out_b", width_, width_);
        layer.inner = tensors.matrix(at + "ff1_w", at + "ff1_b", inner, width_);
        layer.outer = tensors.matrix(at + "ff2_w", at + "ff2_b", width_, inner);
        layer.attended = norm(at + "ln1");
        layer.done = norm(at + "ln2");
        layers_.push_back(std::move(layer));
    }
    if (tensors.has("encoder.distances")) {
        const auto found = tensors.floats("encoder.distances", shape.heads, 2 * longest_ - 1);
        // Scores are divided by this afterwards.
        const float root = std::sqrt(static_cast<float>(width_ / shape.heads));
        for (const float value : found) distances_.push_back(value * root);
    }
    const auto mixes = tensors.floats("encoder.mixes", 2, layers_.size() + 1);
    mixes_.assign(mixes.begin(), mixes.end());
}

void Transformer::times(const Matrix& matrix, const std::vector<float>& in, std::size_t step,
                        std::size_t count, std::vector<float>& out, Scratch& at) const {
    check_cancelled();
    const std::size_t room = padded(matrix.rows());
    grow(out, count * room);
    at.rounded.round(kernel_, in.data(), count, matrix.columns(), step);
    matrix.times(kernel_, at.rounded, count, out.data(), room);
}

void Transformer::read(const Pieces& pieces, std::size_t words, float* tags, float* trees,
                       Scratch& at) const {
    std::fill_n(tags, words * width_, 0.0f);
    std::fill_n(trees, words * width_, 0.0f);
    std::vector<Window> windows;
    std::size_t first = 0, count = 0;
    for (const std::size_t end : pieces.ends) {
        if (end > first) cut(first, end, longest_ - around, windows);
        first = end;
    }
    at.windows.clear();
    for (const Window& window : windows) {
        if (count > 0 && count + length(window) > most_pieces) {
            compute(pieces, tags, trees, at);
            at.windows.clear();
            count = 0;
        }
        at.windows.push_back(window);
        count += length(window);
    }
    if (count > 0) compute(pieces, tags, trees, at);
    at.counts.assign(words, 0.0f);
    for (const std::size_t word : pieces.words) at.counts[word] += 1;
    for (std::size_t word = 0; word < words; ++word) {
        if (at.counts[word] <= 1) continue;
        const float share = 1.0f / at.counts[word];
        for (std::size_t i = word * width_; i < (word + 1) * width_; ++i) {
            tags[i] *= share;
            trees[i] *= share;
        }
    }
}

void Transformer::compute(const Pieces& pieces, float* tags, float* trees, Scratch& at) const {
    std::size_t count = 0;
    for (const Window& window : at.windows) count += length(window);
    embed(pieces, count, at);
    grow(at.blends, 2 * count * width_);
    std::fill_n(at.blends.data(), 2 * count * width_, 0.0f);
    blend(0, count, at);
    for (std::size_t number = 0; number < layers_.size(); ++number) {
        const Layer& layer = layers_[number];
        attend(layer, count, at);
        add_and_norm(layer.out, at.mixed, width_, layer.attended, count, at);
        times(layer.inner, at.x, width_, count, at.inner, at);
        const std::size_t step = padded(layer.inner.rows());
        exact_gelu(at.inner.data(), count * step);
        add_and_norm(layer.outer, at.inner, step, layer.done, count, at);
        blend(number + 1, count, at);
    }
    std::size_t row = 0;
    for (const Window& window : at.windows) {
        for (std::size_t i = window.kept; i < window.end; ++i) {
            const float* found = at.blends.data() + (row + 1 + i - window.first) * width_;
            add(found, tags + pieces.words[i] * width_, width_);
            add(found + count * width_, trees + pieces.words[i] * width_, width_);
        }
        row += length(window);
    }
}

void Transformer::embed(const Pieces& pieces, std::size_t count, Scratch& at) const {
    grow(at.x, count * width_);
    float* x = at.x.data();
    for (const Window& window : at.windows) {
        for (std::size_t place = 0; place < length(window); ++place, x += width_) {
            const bool within = place > 0 && place + 1 < length(window);
            const std::int32_t edge = place == 0 ? shape_.begin : shape_.end;
            const std::size_t piece =
                static_cast<std::size_t>(within ? pieces.numbers[window.first + place - 1] : edge);
            const std::int8_t *own = words_.data() + piece * width_, *there = places_.data() + place * width_;
            for (std::size_t i = 0; i < width_; ++i) {
                x[i] = static_cast<float>(own[i]) * word_scales_[piece] +
                       static_cast<float>(there[i]) * place_scales_[place];
            }
            normalize(norm_, x, x, width_);
        }
    }
}

void Transformer::attend(const Layer& layer, std::size_t count, Scratch& at) const {
    const std::size_t size = width_ / shape_.heads, step = padded(3 * width_);
    const float scale = 1.0f / std::sqrt(static_cast<float>(size));
    times(layer.qkv, at.x, width_, count, at.qkv, at);
    grow(at.mixed, count * width_);
    std::fill_n(at.mixed.data(), count * width_, 0.0f);
    std::size_t row = 0;
    for (const Window& window : at.windows) {
        const std::size_t n = length(window), room = padded(n);
        grow(at.keys, size * room);
        grow(at.scores, room);
        for (std::size_t head = 0; head < shape_.heads; ++head) {
            check_cancelled();
            const float* queries = at.qkv.data() + row * step + head * size;
            const float *keys = queries + width_, *values = keys + width_;
            std::fill_n(at.keys.data(), size * room, 0.0f);
            for (std::size_t t = 0; t < n; ++t) {
                for (std::size_t i = 0; i < size; ++i) at.keys[i * room + t] = keys[t * step + i];
            }
            for (std::size_t t = 0; t < n; ++t) {
                if (distances_.empty()) {
                    std::fill_n(at.scores.data(), room, 0.0f);
                } else {
                    const std::size_t nearest = head * (2 * longest_ - 1) + longest_ - 1;
                    std::copy_n(distances_.data() + nearest - t, n, at.scores.data());
                    std::fill_n(at.scores.data() + n, room - n, 0.0f);
                }
                add_rows(queries + t * step, size, at.keys.data(), room, at.scores.data(), room);
                softmax(at.scores.data(), scale, n);
                add_rows(at.scores.data(), n, values, step,
                         at.mixed.data() + (row + t) * width_ + head * size, size);
            }
        }
        row += n;
    }
}

void Transformer::add_and_norm(const Matrix& matrix, const std::vector<float>& in, std::size_t step,
                               const Norm& norm, std::size_t count, Scratch& at) const {
    times(matrix, in, step, count, at.hidden, at);
    for (std::size_t t = 0; t < count; ++t) {
        float* x = at.x.data() + t * width_;
        add(at.hidden.data() + t * padded(width_), x, width_);
        normalize(norm, x, x, width_);
    }
}

void Transformer::blend(std::size_t number, std::size_t count, Scratch& at) const {
    const std::size_t size = count * width_;
    for (std::size_t use = 0; use < 2; ++use) {
        const float share = mixes_[use * (layers_.size() + 1) + number];
        add_rows(&share, 1, at.x.data(), 0, at.blends.data() + use * size, size);
    }
}

}  // namespace plait::neural
