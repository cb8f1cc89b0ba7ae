// Programs of features: their part of the module.
#pragma once

#include <nanobind/nanobind.h>

void bind_features(nanobind::module_& m);
