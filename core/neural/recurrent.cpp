#include "core/neural/recurrent.hpp"

#include <algorithm>

#include "core/cancel.hpp"
#include "core/neural/encoder.hpp"
#include "core/neural/lstm.hpp"
#include "core/neural/sru.hpp"

namespace plait::neural {

Fed::Fed(Tensors& tensors, const Tags& tags) : all_(tags.size()) {
    std::ranges::copy(tags.sizes(), sizes_.begin());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string name = std::string("fed.") + column_names[i];
        columns_[i] = tensors.matrix(name, "", tensors.rows(name), sizes_[i]);
        Tensors::require(columns_[i].rows() <= most_width, name);
    }
}

std::size_t Fed::width() const { return columns_[0].rows() + columns_[1].rows() + columns_[2].rows(); }

void Fed::read(std::size_t before, Scratch& at) const {
    const std::size_t n = at.words, all = padded(all_), wider = before + width();
    grow(at.z, n * all);
    std::copy_n(at.tag_logits.data(), n * all, at.z.data());
    grow(at.y, n * wider);
    for (std::size_t t = 0; t < n; ++t) {
        std::copy_n(at.x.data() + t * before, before, at.y.data() + t * wider);
    }
    std::size_t from = 0, to = before;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        for (std::size_t t = 0; t < n; ++t) softmax(at.z.data() + t * all + from, 1.0f, sizes_[i]);
        at.times(columns_[i], at.z.data() + from, all, n, at.hidden);
        const std::size_t size = columns_[i].rows();
        for (std::size_t t = 0; t < n; ++t) {
            std::copy_n(at.hidden.data() + t * padded(size), size, at.y.data() + t * wider + to);
        }
        from += sizes_[i];
        to += size;
    }
    at.x.swap(at.y);
}

RecurrentBody::RecurrentBody(Tensors& tensors, const NetShape& shape, std::size_t in)
    : in_(in), width_(tensors.size("root")), tag_layer_(shape.tag_layer) {
    Tensors::require(width_ > 0 && width_ <= most_width && width_ % 2 == 0, "root");
    tags_.emplace(tensors, width_, in);
    if (shape.feed) fed_.emplace(tensors, *tags_);
    for (std::size_t i = 0; tensors.has("layer" + std::to_string(i) + ".b"); ++i) {
        const std::string at = "layer" + std::to_string(i) + ".";
        const std::size_t fed = fed_ && i == tag_layer_ ? fed_->width() : 0;
        const std::size_t before = (i == 0 ? in : width_) + fed;
        if (shape.body == "lstm") {
            layers_.push_back(std::make_unique<Lstm>(tensors, at, before, width_));
        } else {
            layers_.push_back(std::make_unique<Sru>(tensors, at, before, width_));
        }
    }
    // Tags that are fed need a layer that takes them.
    if (tag_layer_ < 1 || tag_layer_ + (fed_ ? 1 : 0) > layers_.size()) {
        throw std::invalid_argument("there is no layer for tags");
    }
    if (shape.attention) attention_.emplace(tensors, width_);
    final_ = tensors.norm("final.ln", width_);
}

void RecurrentBody::read(Scratch& at) const {
    const std::size_t n = at.words;
    grow(at.x, n * in_);
    std::copy_n(at.plain.data(), n * in_, at.x.data());
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        check_cancelled();
        layers_[i]->read(at);
        if (i + 1 != tag_layer_) continue;
        tags_->read(at.x.data(), at);
        if (fed_) fed_->read(width_, at);
    }
    if (attention_) attention_->read(at);
    grow(at.vectors, (n + 1) * width_);
    for (std::size_t t = 0; t < n; ++t) {
        normalize(final_, at.x.data() + t * width_, at.vectors.data() + (t + 1) * width_, width_);
    }
}

std::unique_ptr<Body> make_body(Tensors& tensors, const NetShape& shape, std::size_t in, Kernel kernel) {
    if (shape.body == "sru" || shape.body == "lstm") {
        return std::make_unique<RecurrentBody>(tensors, shape, in);
    }
    if (shape.body == "encoder") return std::make_unique<EncoderBody>(tensors, shape, in, kernel);
    throw std::invalid_argument("there is no body '" + shape.body + "'");
}

}  // namespace plait::neural
