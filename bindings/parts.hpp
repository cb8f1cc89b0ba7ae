// Parts of trees: their part of the module.
#pragma once

#include <nanobind/nanobind.h>

void bind_parts(nanobind::module_& m);
