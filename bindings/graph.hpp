// The graph-based parser: its part of the module.
#pragma once

#include <nanobind/nanobind.h>

void bind_graph(nanobind::module_& m);
