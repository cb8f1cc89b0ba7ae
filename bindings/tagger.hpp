// The tagger's part of the module.
#pragma once

#include <nanobind/nanobind.h>

void bind_tagger(nanobind::module_& m);
