#include "core/neural/net.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/cancel.hpp"
#include "core/neural/spanning.hpp"
#include "core/threads.hpp"

namespace plait::neural {

namespace {

constexpr std::size_t attention_heads = 8;
constexpr float rotary_base = 1000.0f;
constexpr std::size_t most_width = 4096;

void grow(std::vector<float>& values, std::size_t size) {
    if (values.size() < size) values.resize(size);
}

}  // namespace

// Room for the longest sentence so far; rows of words.
struct Net::Scratch {
    std::size_t words = 0;
    Rounded rounded;
    std::vector<float> plain, x, y, z, gates, cells, skip, tag_logits, tag_seen, scores, keys, mixed, hidden;
    std::vector<float> turn_cos, turn_sin;  // by place
    std::size_t turned = 0;
    std::vector<float> dependents, heads, mapped, mapped_columns, arcs, above, joint, both, label_logits;
    std::vector<std::size_t> row_of_head;
};

Net::Net(Tensors tensors, std::size_t tag_layer, Kernel kernel) : kernel_(kernel), tag_layer_(tag_layer) {
    const std::size_t words = tensors.rows("embed.words"), parts = tensors.rows("embed.grams");
    word_dim_ = tensors.columns("embed.words");
    part_dim_ = tensors.columns("embed.grams");
    in_ = word_dim_ + part_dim_;
    width_ = tensors.size("root");
    Tensors::require(width_ > 0 && width_ <= most_width && width_ % (2 * attention_heads) == 0, "root");
    Tensors::require(word_dim_ > 0 && part_dim_ > 0 && in_ <= most_width, "embed.words");
    const auto table = [&](const char* name, std::size_t rows, std::size_t columns, auto& bytes,
                           auto& scales) {
        const auto found = tensors.bytes(name, rows, columns);
        bytes.assign(found.begin(), found.end());
        scales = tensors.list(std::string(name) + ".scale", rows);
    };
    table("embed.words", words, word_dim_, words_, word_scales_);
    table("embed.grams", parts, part_dim_, parts_, part_scales_);
    for (std::size_t i = 0; tensors.has("layer" + std::to_string(i) + ".w"); ++i) {
        const std::string at = "layer" + std::to_string(i) + ".";
        const std::size_t in = i == 0 ? in_ : width_;
        Layer layer{in, tensors.norm(at + "ln", in), {}, tensors.list(at + "conv_b", in), {}, {}};
        const std::span<const float> conv = tensors.floats(at + "conv_w", in, 3);
        layer.conv.resize(conv.size());
        for (std::size_t j = 0; j < conv.size(); ++j) layer.conv[j % 3 * in + j / 3] = conv[j];
        layer.gates = tensors.matrix(at + "w", at + "b", 3 * width_, in);
        if (in != width_) layer.skip = tensors.matrix(at + "skip", "", width_, in);
        layers_.push_back(std::move(layer));
    }
    if (tag_layer < 1 || tag_layer > layers_.size())
        throw std::invalid_argument("there is no layer for tags");
    tag_norm_ = tensors.norm("tags.ln", width_);
    const std::size_t hidden = tensors.rows("tags.w");
    Tensors::require(hidden <= most_width, "tags.w");
    tag_hidden_ = tensors.matrix("tags.w", "tags.b", hidden, width_ + in_);
    for (std::size_t i = 0; i < tag_columns; ++i) {
        const std::string at = std::string("tags.") + column_names[i];
        tags_[i] = tensors.rows(at + "_w");
        tensors.append(tag_out_, at + "_w", at + "_b", tags_[i], hidden);
    }
    norm1_ = tensors.norm("att.ln1", width_);
    norm2_ = tensors.norm("att.ln2", width_);
    final_ = tensors.norm("final.ln", width_);
    qkv_ = tensors.matrix("att.qkv_w", "att.qkv_b", 3 * width_, width_);
    attention_out_ = tensors.matrix("att.out_w", "att.out_b", width_, width_);
    const std::size_t inner = tensors.rows("att.ff1_w");
    Tensors::require(inner <= most_width * 4, "att.ff1_w");
    ff1_ = tensors.matrix("att.ff1_w", "att.ff1_b", inner, width_);
    ff2_ = tensors.matrix("att.ff2_w", "att.ff2_b", width_, inner);
    root_ = tensors.list("root", width_);
    arc_ = tensors.rows("arc.dep_w");
    label_ = tensors.rows("label.dep_w");
    labels_ = tensors.rows("label.p");
    Tensors::require(arc_ <= most_width && label_ <= most_width, "arc.dep_w");
    tensors.append(dependents_, "arc.dep_w", "arc.dep_b", arc_, width_);
    tensors.append(dependents_, "label.dep_w", "label.dep_b", label_, width_);
    tensors.append(heads_, "arc.head_w", "arc.head_b", arc_, width_);
    tensors.append(heads_, "label.head_w", "label.head_b", label_, width_);
    arc_u_ = tensors.matrix("arc.u", "", arc_, arc_);
    arc_v_ = tensors.list("arc.v", arc_);
    label_m_ = tensors.matrix("label.m", "", labels_ * label_, label_);
    label_p_ = tensors.matrix("label.p", "label.b", labels_, 2 * label_);
    tensors.require_all_taken();
}

void Net::check(const Batch& batch) const {
    const WordTypes& types = batch.types;
    for (std::size_t i = 0; i < types.numbers.size(); ++i) {
        const bool is_word = i % types.width == 0;
        const std::int64_t number = types.numbers[i];
        const std::size_t most = is_word ? words() : parts();
        if (number < (is_word ? 0 : -1) || number >= static_cast<std::int64_t>(most)) {
            throw std::invalid_argument("the number of a word or of a part is out of range");
        }
    }
    for (const std::int32_t word : batch.words) {
        if (word < 0 || static_cast<std::size_t>(word) >= types.size()) {
            throw std::invalid_argument("a word is of no kind");
        }
    }
    if (!batch.given.empty() && batch.given.size() != batch.words.size()) {
        throw std::invalid_argument("there must be as many given heads as words");
    }
    for (std::size_t s = 0; s + 1 < batch.offsets.size() && !batch.given.empty(); ++s) {
        const std::int64_t first = batch.offsets[s], last = batch.offsets[s + 1];
        for (std::int64_t i = first; i < last; ++i) {
            const std::int64_t head = batch.given[static_cast<std::size_t>(i)];
            if (head < -1 || head > last - first || head == i - first + 1) {
                throw std::invalid_argument("a given head is out of range");
            }
        }
    }
}

void Net::read_words(const WordTypes& types, std::size_t number, float* vector) const {
    const std::int32_t* row = types.numbers.data() + number * types.width;
    const std::size_t word = static_cast<std::size_t>(row[0]);
    for (std::size_t i = 0; i < word_dim_; ++i) {
        vector[i] = static_cast<float>(words_[word * word_dim_ + i]) * word_scales_[word];
    }
    float* sums = vector + word_dim_;
    std::fill_n(sums, part_dim_, 0.0f);
    std::size_t count = 0;
    for (std::size_t k = 1; k < types.width; ++k) {
        if (row[k] < 0) continue;
        const std::size_t part = static_cast<std::size_t>(row[k]);
        const std::int8_t* weights = parts_.data() + part * part_dim_;
        const float scale = part_scales_[part];
        for (std::size_t i = 0; i < part_dim_; ++i) sums[i] += static_cast<float>(weights[i]) * scale;
        ++count;
    }
    const float share = count == 0 ? 0.0f : 1.0f / static_cast<float>(count);
    for (std::size_t i = 0; i < part_dim_; ++i) sums[i] *= share;
}

std::vector<float> Net::vectors(const WordTypes& types, int threads) const {
    std::vector<float> found(types.size() * in_);
    std::atomic<std::size_t> next = 0;
    on_threads(threads, [&] {
        for (std::size_t i = next++; i < types.size(); i = next++) {
            check_cancelled();
            read_words(types, i, found.data() + i * in_);
        }
    });
    return found;
}

void Net::times(const Matrix& matrix, const std::vector<float>& in, std::size_t step, std::size_t count,
                std::vector<float>& out, Scratch& at) const {
    const std::size_t room = padded(matrix.rows());
    grow(out, count * room);
    at.rounded.round(kernel_, in.data(), count, matrix.columns(), step);
    matrix.times(kernel_, at.rounded, count, out.data(), room);
}

void Net::recur(const Layer& layer, Scratch& at) const {
    const std::size_t n = at.words, in = layer.in, half = width_ / 2;
    grow(at.y, n * in);
    grow(at.z, n * in);
    grow(at.cells, (n + 1) * width_);
    for (std::size_t t = 0; t < n; ++t) {
        normalize(layer.norm, at.x.data() + t * in, at.y.data() + t * in, in);
    }
    for (std::size_t t = 0; t < n; ++t) {
        const float* middle = at.y.data() + t * in;
        convolve(t == 0 ? nullptr : middle - in, middle, t + 1 == n ? nullptr : middle + in,
                 layer.conv.data(), layer.conv_bias.data(), at.z.data() + t * in, in);
    }
    times(layer.gates, at.z, in, n, at.gates, at);
    const std::size_t step = padded(3 * width_);
    for (std::size_t t = 0; t < n; ++t) sigmoid(at.gates.data() + t * step + width_, 2 * width_);
    float* cell = at.cells.data() + n * width_;  // behind the words: what runs along
    std::fill_n(cell, width_, 0.0f);
    for (std::size_t t = 0; t < n; ++t) {
        const float* gates = at.gates.data() + t * step;
        plait::neural::recur(gates + width_, gates, cell, at.cells.data() + t * width_, half);
    }
    for (std::size_t t = n; t-- > 0;) {
        const float* gates = at.gates.data() + t * step + half;
        plait::neural::recur(gates + width_, gates, cell + half, at.cells.data() + t * width_ + half, half);
    }
    const bool plain = layer.skip.rows() == 0;
    if (!plain) times(layer.skip, at.x, in, n, at.skip, at);
    const float* skip = plain ? at.x.data() : at.skip.data();
    const std::size_t skip_step = plain ? in : padded(width_);
    grow(at.x, n * width_);
    if (plain) skip = at.x.data();
    for (std::size_t t = 0; t < n; ++t) {
        open_gate(at.gates.data() + t * step + 2 * width_, at.cells.data() + t * width_, skip + t * skip_step,
                  at.x.data() + t * width_, width_);
    }
}

void Net::tag(Scratch& at) const {
    const std::size_t n = at.words, seen = width_ + in_;
    grow(at.tag_seen, n * seen);
    for (std::size_t t = 0; t < n; ++t) {
        normalize(tag_norm_, at.x.data() + t * width_, at.tag_seen.data() + t * seen, width_);
        std::copy_n(at.plain.data() + t * in_, in_, at.tag_seen.data() + t * seen + width_);
    }
    times(tag_hidden_, at.tag_seen, seen, n, at.hidden, at);
    gelu(at.hidden.data(), n * padded(tag_hidden_.rows()));
    times(tag_out_, at.hidden, padded(tag_hidden_.rows()), n, at.tag_logits, at);
}

void Net::attend(Scratch& at) const {
    const std::size_t n = at.words, size = width_ / attention_heads, half = size / 2, room = padded(n);
    const std::size_t step = padded(3 * width_);
    for (; at.turned < n; ++at.turned) {
        for (std::size_t j = 0; j < half; ++j) {
            const float slowness =
                std::pow(rotary_base, -static_cast<float>(2 * j) / static_cast<float>(size));
            const float angle = static_cast<float>(at.turned) * slowness;
            at.turn_cos.push_back(std::cos(angle));
            at.turn_sin.push_back(std::sin(angle));
        }
    }
    grow(at.y, n * width_);
    for (std::size_t t = 0; t < n; ++t) {
        normalize(norm1_, at.x.data() + t * width_, at.y.data() + t * width_, width_);
    }
    times(qkv_, at.y, width_, n, at.gates, at);
    grow(at.keys, size * room);
    grow(at.scores, room);
    grow(at.mixed, n * width_);
    std::fill_n(at.mixed.data(), n * width_, 0.0f);
    const float scale = 1.0f / std::sqrt(static_cast<float>(size));
    for (std::size_t head = 0; head < attention_heads; ++head) {
        check_cancelled();
        std::fill_n(at.keys.data(), size * room, 0.0f);
        for (std::size_t t = 0; t < n; ++t) {
            float* query = at.gates.data() + t * step + head * size;
            float* key = query + width_;
            const float *cosines = at.turn_cos.data() + t * half, *sines = at.turn_sin.data() + t * half;
            rotate(query, cosines, sines, size);
            rotate(key, cosines, sines, size);
            for (std::size_t i = 0; i < size; ++i) at.keys[i * room + t] = key[i];
        }
        const float* values = at.gates.data() + 2 * width_ + head * size;
        for (std::size_t t = 0; t < n; ++t) {
            std::fill_n(at.scores.data(), room, 0.0f);
            add_rows(at.gates.data() + t * step + head * size, size, at.keys.data(), room, at.scores.data(),
                     room);
            softmax(at.scores.data(), scale, n);
            add_rows(at.scores.data(), n, values, step, at.mixed.data() + t * width_ + head * size, size);
        }
    }
    times(attention_out_, at.mixed, width_, n, at.hidden, at);
    const std::size_t out = padded(width_);
    for (std::size_t t = 0; t < n; ++t) {
        add(at.hidden.data() + t * out, at.x.data() + t * width_, width_);
        normalize(norm2_, at.x.data() + t * width_, at.y.data() + t * width_, width_);
    }
    const std::size_t inner = padded(ff1_.rows());
    times(ff1_, at.y, width_, n, at.hidden, at);
    gelu(at.hidden.data(), n * inner);
    times(ff2_, at.hidden, inner, n, at.z, at);
    for (std::size_t t = 0; t < n; ++t) add(at.z.data() + t * out, at.x.data() + t * width_, width_);
}

void Net::score_arcs(Scratch& at) const {
    const std::size_t n = at.words, out = padded(arc_ + label_), room = padded(n + 1), mapped = padded(arc_);
    grow(at.y, (n + 1) * width_);
    std::ranges::copy(root_, at.y.begin());
    for (std::size_t t = 0; t < n; ++t) {
        normalize(final_, at.x.data() + t * width_, at.y.data() + (t + 1) * width_, width_);
    }
    times(heads_, at.y, width_, n + 1, at.heads, at);
    leaky_relu(at.heads.data(), (n + 1) * out);
    // The same rounded vectors, from behind the root on.
    std::copy(at.y.begin() + static_cast<std::ptrdiff_t>(width_),
              at.y.begin() + static_cast<std::ptrdiff_t>((n + 1) * width_), at.y.begin());
    times(dependents_, at.y, width_, n, at.dependents, at);
    leaky_relu(at.dependents.data(), n * out);
    times(arc_u_, at.heads, out, n + 1, at.mapped, at);
    grow(at.mapped_columns, arc_ * room);
    grow(at.scores, room);
    std::fill_n(at.mapped_columns.data(), arc_ * room, 0.0f);
    for (std::size_t h = 0; h <= n; ++h) {
        for (std::size_t i = 0; i < arc_; ++i) at.mapped_columns[i * room + h] = at.mapped[h * mapped + i];
        at.scores[h] = dot(at.heads.data() + h * out, arc_v_.data(), arc_);
    }
    grow(at.arcs, n * room);
    for (std::size_t t = 0; t < n; ++t) {
        float* row = at.arcs.data() + t * room;
        std::copy_n(at.scores.data(), n + 1, row);
        std::fill(row + n + 1, row + room, 0.0f);
        add_rows(at.dependents.data() + t * out, arc_, at.mapped_columns.data(), room, row, room);
        row[t + 1] = -std::numeric_limits<float>::infinity();
    }
}

void Net::score_labels(Scratch& at, std::span<const std::int32_t> heads) const {
    const std::size_t n = at.words, out = padded(arc_ + label_), joint = padded(labels_ * label_);
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    // A word may be the head of several: its product with the large matrix is computed once.
    at.row_of_head.assign(n + 1, none);
    std::size_t rows = 0;
    grow(at.above, (n + 1) * label_);
    grow(at.both, n * 2 * label_);
    for (std::size_t t = 0; t < n; ++t) {
        const std::size_t head = static_cast<std::size_t>(heads[t]);
        const float* above = at.heads.data() + head * out + arc_;
        std::copy_n(at.dependents.data() + t * out + arc_, label_, at.both.data() + t * 2 * label_);
        std::copy_n(above, label_, at.both.data() + t * 2 * label_ + label_);
        if (at.row_of_head[head] != none) continue;
        std::copy_n(above, label_, at.above.data() + rows * label_);
        at.row_of_head[head] = rows++;
    }
    times(label_p_, at.both, 2 * label_, n, at.label_logits, at);
    times(label_m_, at.above, label_, rows, at.joint, at);
    for (std::size_t t = 0; t < n; ++t) {
        const float* products = at.joint.data() + at.row_of_head[static_cast<std::size_t>(heads[t])] * joint;
        const float* own = at.both.data() + t * 2 * label_;
        float* logits = at.label_logits.data() + t * padded(labels_);
        for (std::size_t i = 0; i < labels_; ++i) logits[i] += dot(own, products + i * label_, label_);
    }
}

void Net::read(const Batch& batch, const float* vectors, std::size_t sentence, Scratch& at) const {
    const std::size_t first = static_cast<std::size_t>(batch.offsets[sentence]);
    at.words = static_cast<std::size_t>(batch.offsets[sentence + 1]) - first;
    grow(at.plain, at.words * in_);
    grow(at.x, at.words * in_);
    for (std::size_t t = 0; t < at.words; ++t) {
        const std::size_t type = static_cast<std::size_t>(batch.words[first + t]);
        std::copy_n(vectors + type * in_, in_, at.plain.data() + t * in_);
    }
    std::copy_n(at.plain.data(), at.words * in_, at.x.data());
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        check_cancelled();
        recur(layers_[i], at);
        if (i + 1 == tag_layer_) tag(at);
    }
    attend(at);
    check_cancelled();
    score_arcs(at);
}

Found Net::run(const Batch& batch, int threads) const {
    check(batch);
    const std::size_t words = batch.words.size();
    Found found;
    found.heads.resize(words);
    found.labels.resize(words);
    found.tags.resize(words * tag_columns);
    found.probabilities.resize(words);
    const std::vector<float> inputs = vectors(batch.types, threads);
    std::atomic<std::size_t> next = 0;
    on_threads(threads, [&] {
        Scratch at;
        for (std::size_t s = next++; s + 1 < batch.offsets.size(); s = next++) {
            check_cancelled();
            const std::size_t first = static_cast<std::size_t>(batch.offsets[s]);
            const std::size_t n = static_cast<std::size_t>(batch.offsets[s + 1]) - first;
            if (n == 0) continue;
            read(batch, inputs.data(), s, at);
            const std::size_t room = padded(n + 1);
            const std::span<std::int32_t> heads = std::span(found.heads).subspan(first, n);
            best_tree({at.arcs.data(), room, n}, batch.price,
                      batch.given.empty() ? batch.given : batch.given.subspan(first, n), heads);
            score_labels(at, heads);
            for (std::size_t t = 0; t < n; ++t) {
                const float* arcs = at.arcs.data() + t * room;
                found.probabilities[first + t] = std::exp(arcs[heads[t]] - log_sum(arcs, n + 1));
                found.labels[first + t] =
                    static_cast<std::int32_t>(argmax(at.label_logits.data() + t * padded(labels_), labels_));
                const float* logits = at.tag_logits.data() + t * padded(tag_out_.rows());
                for (std::size_t i = 0; i < tag_columns; logits += tags_[i++]) {
                    found.tags[(first + t) * tag_columns + i] =
                        static_cast<std::int32_t>(argmax(logits, tags_[i]));
                }
            }
        }
    });
    return found;
}

Logits Net::look(const Batch& batch) const {
    check(batch);
    const std::vector<float> inputs = vectors(batch.types, 1);
    const std::size_t n = batch.words.size();
    if (n == 0 || batch.offsets.size() != 2) throw std::invalid_argument("one sentence is expected");
    Scratch at;
    read(batch, inputs.data(), 0, at);
    std::vector<std::int32_t> heads(n);
    best_tree({at.arcs.data(), padded(n + 1), n}, batch.price, batch.given, heads);
    score_labels(at, heads);
    const auto rows = [n](const std::vector<float>& from, std::size_t size) {
        std::vector<float> found;
        for (std::size_t t = 0; t < n; ++t) {
            const auto row = from.begin() + static_cast<std::ptrdiff_t>(t * padded(size));
            found.insert(found.end(), row, row + static_cast<std::ptrdiff_t>(size));
        }
        return found;
    };
    return {rows(at.tag_logits, tag_out_.rows()), rows(at.arcs, n + 1), rows(at.label_logits, labels_)};
}

}  // namespace plait::neural
