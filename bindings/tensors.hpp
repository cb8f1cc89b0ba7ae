// Arrays of a net by name, as they come from Python.
#pragma once

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <map>
#include <string>

#include "bindings/arrays.hpp"
#include "core/neural/tensors.hpp"

using Arrays = std::map<std::string, nb::object>;

template <typename T>
bool holds(const nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>& array) {
    return array.dtype() == nb::dtype<T>();
}

inline plait::neural::Tensor to_tensor(const std::string& name, nb::handle value) {
    nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu> array;
    if (!nb::try_cast(value, array, false) || array.ndim() < 1 || array.ndim() > 2 || array.size() == 0) {
        throw std::invalid_argument(name + ": not a list or a table of numbers");
    }
    plait::neural::Tensor found;
    found.rows = array.ndim() == 2 ? array.shape(0) : 1;
    found.columns = array.shape(array.ndim() - 1);
    if (holds<std::int8_t>(array)) {
        found.bytes = {static_cast<const std::int8_t*>(array.data()), array.size()};
    } else if (holds<float>(array)) {
        found.floats = {static_cast<const float*>(array.data()), array.size()};
    } else {
        throw std::invalid_argument(name + ": another type of numbers");
    }
    return found;
}

inline plait::neural::Tensors to_tensors(const Arrays& arrays) {
    std::map<std::string, plait::neural::Tensor> found;
    for (const auto& [name, value] : arrays) found.emplace(name, to_tensor(name, value));
    return plait::neural::Tensors(std::move(found));
}
