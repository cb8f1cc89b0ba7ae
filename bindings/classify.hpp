// The part of the module that classifies.
#pragma once

#include <nanobind/nanobind.h>

void bind_classify(nanobind::module_& m);
