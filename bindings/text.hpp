// The tokenizer's part of the module.
#pragma once

#include <nanobind/nanobind.h>

void bind_text(nanobind::module_& m);
