#include "core/neural/spelling.hpp"

#include <algorithm>

namespace plait::neural {

namespace {

constexpr std::size_t most_shares = 1 << 25;

}  // namespace

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

Letters::Letters(Tensors& tensors) {
    const Table letters(tensors, "embed.letters");
    letters_ = letters.size();
    channels_ = tensors.rows("spell.conv2_w");
    Tensors::require(channels_ <= most_width && letters_ <= most_shares / places / channels_,
                     "embed.letters");
    shares_.resize(letters_ * places * channels_);
    std::vector<float> own(letters.width), row(letters.width);
    std::size_t first = 0;
    for (std::size_t i = 0; i < sizes.size(); first += sizes[i++]) {
        const std::string at = "spell.conv" + std::to_string(sizes[i]) + "_";
        const std::span<const std::int8_t> weights =
            tensors.bytes(at + "w", channels_, sizes[i] * letters.width);
        const std::span<const float> scales = tensors.floats(at + "w.scale", channels_);
        biases_[i] = tensors.list(at + "b", channels_);
        for (std::size_t letter = 0; letter < letters_; ++letter) {
            std::ranges::fill(own, 0.0f);
            letters.add_row(letter, own.data());
            for (std::size_t place = 0; place < sizes[i]; ++place) {
                float* shares = shares_.data() + (letter * places + first + place) * channels_;
                for (std::size_t channel = 0; channel < channels_; ++channel) {
                    const std::int8_t* from = weights.data() + (channel * sizes[i] + place) * letters.width;
                    std::copy_n(from, letters.width, row.begin());
                    shares[channel] = dot(own.data(), row.data(), letters.width) * scales[channel];
                }
            }
        }
    }
    out_ =
        tensors.matrix("spell.out_w", "spell.out_b", tensors.rows("spell.out_w"), sizes.size() * channels_);
    Tensors::require(out_.rows() <= most_width, "spell.out_w");
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
        if (shorter) raise(biases_[i].data(), most, channels_);
        const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(sizes[i]);
        for (std::ptrdiff_t begin = 1 - size; begin < length; ++begin) {
            std::ranges::copy(biases_[i], at.z.begin());
            for (std::ptrdiff_t place = std::max<std::ptrdiff_t>(0, -begin);
                 place < std::min(size, length - begin); ++place) {
                const std::size_t letter =
                    static_cast<std::size_t>(numbers[static_cast<std::size_t>(begin + place)]);
                add(shares_.data() + (letter * places + first + static_cast<std::size_t>(place)) * channels_,
                    at.z.data(), channels_);
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
