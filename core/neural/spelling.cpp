#include "core/neural/spelling.hpp"

#include <algorithm>

namespace plait::neural {

Table::Table(Tensors& tensors, const std::string& name) : width(tensors.columns(name)) {
    Tensors::require(width > 0 && width <= most_width, name);
    const std::size_t rows = tensors.rows(name);
    const auto found = tensors.bytes(name, rows, width);
    bytes.assign(found.begin(), found.end());
    scales = tensors.list(name + ".scale", rows);
}

void Table::add_row(std::size_t number, float* sums) const {
    add_bytes(bytes.data() + number * width, scales[number], sums, width);
}

void Grams::read(std::span<const std::int32_t> numbers, float* vector, Scratch&) const {
    std::fill_n(vector, grams_.width, 0.0f);
    std::size_t count = 0;
    for (const std::int32_t number : numbers) {
        if (number < 0) continue;
        grams_.add_row(static_cast<std::size_t>(number), vector);
        ++count;
    }
    const float share = count == 0 ? 0.0f : 1.0f / static_cast<float>(count);
    for (std::size_t i = 0; i < grams_.width; ++i) vector[i] *= share;
}

Letters::Letters(Tensors& tensors) : letters_(tensors, "embed.letters") {
    channels_ = tensors.rows("spell.conv2_w");
    Tensors::require(channels_ <= most_width, "spell.conv2_w");
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::string at = "spell.conv" + std::to_string(sizes[i]) + "_";
        const auto weights = tensors.bytes(at + "w", channels_, sizes[i] * letters_.width);
        filters_[i].weights.assign(weights.begin(), weights.end());
        filters_[i].scales = tensors.list(at + "w.scale", channels_);
        filters_[i].biases = tensors.list(at + "b", channels_);
    }
    out_ =
        tensors.matrix("spell.out_w", "spell.out_b", tensors.rows("spell.out_w"), sizes.size() * channels_);
    Tensors::require(out_.rows() <= most_width, "spell.out_w");
    // Sizes are below 2^32 each, as there are arrays of them, and 2^12: the product does not overflow.
    const std::size_t shares = letters_.size() * places * channels_;
    if (shares > tensors.total() / sizeof(float)) return;
    std::vector<float> found(shares);
    Scratch at(Kernel::plain);
    float* next = found.data();
    for (std::size_t letter = 0; letter < letters_.size(); ++letter) {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            for (std::size_t place = 0; place < sizes[i]; ++place, next += channels_) {
                add_up(letter, i, place, next, at);
            }
        }
    }
    shares_ = std::move(found);
}

void Letters::add_up(std::size_t letter, std::size_t i, std::size_t place, float* sums, Scratch& at) const {
    const std::size_t width = letters_.width;
    grow(at.x, 2 * width);
    float *own = at.x.data(), *row = own + width;
    std::fill_n(own, width, 0.0f);
    letters_.add_row(letter, own);
    const Filter& filter = filters_[i];
    for (std::size_t channel = 0; channel < channels_; ++channel) {
        std::copy_n(filter.weights.data() + (channel * sizes[i] + place) * width, width, row);
        sums[channel] = dot(own, row, width) * filter.scales[channel];
    }
}

const float* Letters::shares(std::size_t letter, std::size_t i, std::size_t first, std::size_t place,
                             Scratch& at) const {
    if (!shares_.empty()) return shares_.data() + (letter * places + first + place) * channels_;
    grow(at.mixed, channels_);
    add_up(letter, i, place, at.mixed.data(), at);
    return at.mixed.data();
}

void Letters::read(std::span<const std::int32_t> numbers, float* vector, Scratch& at) const {
    const std::ptrdiff_t length = std::ranges::find(numbers, -1) - numbers.begin();
    // There is a window without letters where a form is shorter than what can be shown of it.
    const bool shorter = static_cast<std::size_t>(length) < numbers.size();
    grow(at.y, sizes.size() * channels_);
    grow(at.z, channels_);
    std::size_t first = 0;
    for (std::size_t i = 0; i < sizes.size(); first += sizes[i++]) {
        float* most = at.y.data() + i * channels_;
        // The largest of all, and 0 if it is negative.
        std::fill_n(most, channels_, 0.0f);
        const std::vector<float>& biases = filters_[i].biases;
        if (shorter) raise(biases.data(), most, channels_);
        const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(sizes[i]);
        for (std::ptrdiff_t begin = 1 - size; begin < length; ++begin) {
            std::ranges::copy(biases, at.z.begin());
            for (std::ptrdiff_t place = std::max<std::ptrdiff_t>(0, -begin);
                 place < std::min(size, length - begin); ++place) {
                const std::size_t letter =
                    static_cast<std::size_t>(numbers[static_cast<std::size_t>(begin + place)]);
                add(shares(letter, i, first, static_cast<std::size_t>(place), at), at.z.data(), channels_);
            }
            raise(at.z.data(), most, channels_);
        }
    }
    at.times(out_, at.y.data(), out_.columns(), 1, at.hidden);
    hyperbolic(at.hidden.data(), out_.rows());
    std::copy_n(at.hidden.data(), out_.rows(), vector);
}

std::unique_ptr<Spelling> make_spelling(Tensors& tensors, const std::string& kind) {
    if (kind == "grams") return std::make_unique<Grams>(tensors);
    if (kind == "characters") return std::make_unique<Letters>(tensors);
    throw std::invalid_argument("there is no spelling '" + kind + "'");
}

}  // namespace plait::neural
