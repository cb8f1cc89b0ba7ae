#include "core/neural/inputs.hpp"

#include <algorithm>

namespace plait::neural {

Inputs::Inputs(Tensors& tensors, const std::string& spelling)
    : words_(tensors, "embed.words"), spelling_(make_spelling(tensors, spelling)) {
    Tensors::require(width() <= most_width, "embed.words");
}

void Inputs::check(std::span<const std::int32_t> row) const {
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::size_t most = i == 0 ? words() : parts();
        if (row[i] < (i == 0 ? 0 : -1) || row[i] >= static_cast<std::int64_t>(most)) {
            throw std::invalid_argument("the number of a word or of a part is out of range");
        }
    }
}

void Inputs::read(std::span<const std::int32_t> row, float* vector, Scratch& at) const {
    std::fill_n(vector, words_.width, 0.0f);
    words_.add_row(static_cast<std::size_t>(row[0]), vector);
    spelling_->read(row.subspan(1), vector + words_.width, at);
}

}  // namespace plait::neural
