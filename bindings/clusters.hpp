// The part of the module that clusters words.
#pragma once

#include <nanobind/nanobind.h>

void bind_clusters(nanobind::module_& m);
