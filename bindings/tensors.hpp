// Arrays of a net by name, as they come from Python.
#pragma once

#include <nanobind/stl/string.h>

#include <map>
#include <string>

#include "bindings/arrays.hpp"
#include "core/neural/tensors.hpp"

// Read here, and not by nanobind, which ends the process where there is no memory for what it reads.
using Arrays = nb::typed<nb::dict, nb::str, nb::any>;

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
    for (const auto& [key, value] : arrays) {
        const char* text = PyUnicode_Check(key.ptr()) ? PyUnicode_AsUTF8AndSize(key.ptr(), nullptr) : nullptr;
        if (text == nullptr) {
            PyErr_Clear();
            throw std::invalid_argument("the name of an array is no text");
        }
        found.emplace(text, to_tensor(text, value));
    }
    return plait::neural::Tensors(std::move(found));
}
