// How arrays cross the border: contiguous, on the CPU, checked once.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/tree.hpp"

namespace nb = nanobind;

template <typename T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Rows = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Output = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;

template <typename T>
using OutputRows = nb::ndarray<nb::numpy, T, nb::ndim<2>, nb::c_contig>;

template <typename T>
std::span<const T> view(const Input<T>& array) {
    return {array.data(), array.size()};
}

template <typename T>
std::span<const T> view(const std::optional<Input<T>>& array) {
    return array ? view(*array) : std::span<const T>{};
}

template <typename T>
Output<T> to_numpy(std::vector<T>&& values) {
    auto* kept = new std::vector<T>(std::move(values));
    const nb::capsule owner(kept, [](void* data) noexcept { delete static_cast<std::vector<T>*>(data); });
    return Output<T>(kept->data(), {kept->size()}, owner);
}

template <typename T>
OutputRows<T> to_table(std::vector<T>&& values, std::size_t columns) {
    auto* kept = new std::vector<T>(std::move(values));
    const nb::capsule owner(kept, [](void* data) noexcept { delete static_cast<std::vector<T>*>(data); });
    return OutputRows<T>(kept->data(), {columns == 0 ? 0 : kept->size() / columns, columns}, owner);
}

inline void check_offsets(std::span<const std::int64_t> offsets, std::size_t total) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(total)) {
        throw std::invalid_argument("offsets must run from 0 to the number of entries");
    }
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
        if (offsets[i] > offsets[i + 1]) throw std::invalid_argument("offsets must not decrease");
    }
}

inline plait::Forest to_forest(const Input<plait::Index>& heads, const Input<std::int64_t>& offsets) {
    const plait::Forest forest{{heads.data(), heads.size()}, {offsets.data(), offsets.size()}};
    check_offsets(forest.offsets, heads.size());
    return forest;
}

template <typename T>
std::vector<T> copied(const Input<T>& array) {
    return {array.data(), array.data() + array.size()};
}
