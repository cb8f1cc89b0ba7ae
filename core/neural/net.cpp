#include "core/neural/net.hpp"

#include <algorithm>
#include <atomic>

#include "core/cancel.hpp"
#include "core/threads.hpp"

namespace plait::neural {

Net::Net(Tensors tensors, const NetShape& shape, Kernel kernel)
    : kernel_(kernel),
      inputs_(tensors, shape.spelling),
      body_(make_body(tensors, shape, inputs_.width(), kernel)),
      trees_(tensors, body_->width()) {
    tensors.require_all_taken();
}

void Net::check(const WordTypes& types) const {
    if (types.width <= body_->columns()) throw std::invalid_argument("a kind of words has at least a number");
    const std::size_t own = types.width - body_->columns();
    for (std::size_t i = 0; i < types.size(); ++i) {
        inputs_.check(types.row(i).first(own));
        body_->check(types.row(i).subspan(own));
    }
}

std::vector<float> Net::vectors(const WordTypes& types, int threads) const {
    const std::size_t width = inputs_.width(), own = types.width - body_->columns();
    std::vector<float> found(types.size() * width);
    std::atomic<std::size_t> next = 0;
    on_threads(threads, [&] {
        Scratch at(kernel_);
        for (std::size_t i = next++; i < types.size(); i = next++) {
            check_cancelled();
            inputs_.read(types.row(i).first(own), found.data() + i * width, at);
        }
    });
    return found;
}

// What is for the body alone in a row of a kind.
const std::int32_t* Net::own_row(const WordTypes& types, std::int32_t word) const {
    return types.row(static_cast<std::size_t>(word)).last(body_->columns()).data();
}

void Net::prepare(const WordTypes& types, std::span<const std::int32_t> words,
                  std::span<const std::size_t> ends, Scratch& at) const {
    at.rows.clear();
    for (const std::int32_t word : words) at.rows.push_back(own_row(types, word));
    body_->prepare({at.rows, ends}, at);
}

void Net::read(const WordTypes& types, const std::vector<float>& vectors, std::span<const std::int32_t> words,
               Scratch& at) const {
    const std::size_t width = inputs_.width();
    at.words = words.size();
    at.rows.resize(words.size());
    grow(at.plain, words.size() * width);
    for (std::size_t t = 0; t < words.size(); ++t) {
        const std::size_t type = static_cast<std::size_t>(words[t]);
        std::copy_n(vectors.data() + type * width, width, at.plain.data() + t * width);
        at.rows[t] = own_row(types, words[t]);
    }
    body_->read(at);
    check_cancelled();
    trees_.score_arcs(at);
}

}  // namespace plait::neural
