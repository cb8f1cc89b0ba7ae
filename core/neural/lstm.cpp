#include "core/neural/lstm.hpp"

#include <algorithm>

#include "core/cancel.hpp"

namespace plait::neural {

Lstm::Lstm(Tensors& tensors, const std::string& at, std::size_t in, std::size_t width)
    : in_(in), each_way_(width / 2) {
    input_ = tensors.matrix(at + "w", at + "b", 8 * each_way_, in);
    forth_ = tensors.matrix(at + "forth", "", 4 * each_way_, each_way_);
    back_ = tensors.matrix(at + "back", "", 4 * each_way_, each_way_);
}

void Lstm::read(Scratch& at) const {
    const std::size_t n = at.words, size = each_way_, step = padded(8 * size);
    at.times(input_, at.x.data(), in_, n, at.gates);
    grow(at.x, n * 2 * size);
    grow(at.cells, size);
    for (const bool forth : {true, false}) {
        const std::size_t side = forth ? 0 : 1;
        std::fill_n(at.cells.data(), size, 0.0f);
        const float* before = nullptr;
        for (std::size_t i = 0; i < n; ++i) {
            check_cancelled();
            const std::size_t t = forth ? i : n - 1 - i;
            float* gates = at.gates.data() + t * step + side * 4 * size;
            float* out = at.x.data() + t * 2 * size + side * size;
            if (before != nullptr) {
                at.times(forth ? forth_ : back_, before, 0, 1, at.hidden);
                add(at.hidden.data(), gates, 4 * size);
            }
            remember(gates, at.cells.data(), out, size);
            before = out;
        }
    }
}

}  // namespace plait::neural
