#pragma once

#include <nanobind/nanobind.h>

void bind_transitions(nanobind::module_& m);
