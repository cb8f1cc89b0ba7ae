#include "core/neural/matrix.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "core/neural/products.hpp"
#include "core/neural/widest.hpp"

namespace plait::neural {

namespace {

constexpr float magic = 12582912.0f;  // 1.5 * 2^23: what is added to it is rounded to a whole number

struct Named {
    Kernel kernel;
    const char* name;
};
constexpr Named all_kernels[] = {{Kernel::vnni, "vnni"}, {Kernel::avx2, "avx2"}, {Kernel::plain, "plain"}};

bool available(Kernel kernel) {
#ifdef PLAIT_X86_PRODUCTS
    if (kernel == Kernel::vnni) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");
    }
    if (kernel == Kernel::avx2) return __builtin_cpu_supports("avx2") != 0;
#endif
    return kernel == Kernel::plain;
}

PLAIT_WIDEST float largest(const float* values, std::size_t size) {
    float most[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= size; i += lanes) {
        for (std::size_t j = 0; j < lanes; ++j) {
            const float value = std::fabs(values[i + j]);
            most[j] = value > most[j] ? value : most[j];
        }
    }
    for (; i < size; ++i) most[0] = std::max(most[0], std::fabs(values[i]));
    return *std::max_element(most, most + lanes);
}

PLAIT_WIDEST void to_bytes(const float* values, std::size_t size, float unit, int start,
                           std::uint8_t* bytes) {
    for (std::size_t i = 0; i < size; ++i) {
        const float step = values[i] / unit;
        bytes[i] = static_cast<std::uint8_t>(std::bit_cast<std::int32_t>(step + magic) + start);
    }
}

}  // namespace

std::vector<std::string> kernels() {
    std::vector<std::string> found;
    for (const Named& each : all_kernels) {
        if (available(each.kernel)) found.emplace_back(each.name);
    }
    return found;
}

Kernel kernel_of(const std::string& name) {
    for (const Named& each : all_kernels) {
        if ((name.empty() || name == each.name) && available(each.kernel)) return each.kernel;
    }
    throw std::invalid_argument("this machine has no kernel '" + name + "'");
}

void Rounded::round(Kernel kernel, const float* vectors, std::size_t count, std::size_t size,
                    std::size_t step) {
    stride = (size + 3) / 4 * 4;
    if (bytes.size() < count * stride) bytes.resize(count * stride);
    if (units.size() < count) units.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const float* values = vectors + i * step;
        units[i] = largest(values, size) / 127.0f;
        to_bytes(values, size, units[i] > 0 ? units[i] : 1.0f, kernel == Kernel::vnni ? 128 : 0,
                 bytes.data() + i * stride);
    }
}

void Matrix::append(std::size_t columns, std::span<const std::int8_t> weights, std::span<const float> scales,
                    std::span<const float> biases) {
    if (columns == 0 || columns > most_columns || weights.size() != columns * scales.size() ||
        (!biases.empty() && biases.size() != scales.size()) || (rows_ != 0 && columns != columns_)) {
        throw std::invalid_argument("the sizes of a matrix do not fit together");
    }
    columns_ = columns;
    const std::size_t last = rows_ + scales.size();
    packed_.resize(padded(last) * groups() * 4, 0);
    scales_.resize(padded(last), 0.0f);
    biases_.resize(padded(last), 0.0f);
    starts_.resize(padded(last), 0);
    for (std::size_t i = 0; i < scales.size(); ++i) {
        const std::size_t row = rows_ + i;
        std::int8_t* own = packed_.data() + row / lanes * block_bytes() + row % lanes * 4;
        std::int32_t sum = 0;
        for (std::size_t column = 0; column < columns; ++column) {
            const std::int8_t weight = weights[i * columns + column];
            own[column / 4 * 4 * lanes + column % 4] = weight;
            sum += weight;
        }
        scales_[row] = scales[i];
        biases_[row] = biases.empty() ? 0.0f : biases[i];
        starts_[row] = -128 * sum;
    }
    rows_ = last;
}

void Matrix::times(Kernel kernel, const Rounded& vectors, std::size_t count, float* products,
                   std::size_t step) const {
#ifdef PLAIT_X86_PRODUCTS
    if (kernel == Kernel::vnni) return products_vnni(*this, vectors, count, products, step);
    if (kernel == Kernel::avx2) return products_avx2(*this, vectors, count, products, step);
#endif
    (void)kernel;
    products_plain(*this, vectors, count, products, step);
}

}  // namespace plait::neural
