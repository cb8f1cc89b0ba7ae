// The parser's part of the module.
#pragma once

#include <nanobind/nanobind.h>

void bind_parser(nanobind::module_& m);
