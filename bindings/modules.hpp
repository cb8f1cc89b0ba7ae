// What every file of bindings adds to the module.
#pragma once

#include <nanobind/nanobind.h>

void bind_cancel(nanobind::module_& m);
void bind_chain(nanobind::module_& m);
void bind_classify(nanobind::module_& m);
void bind_clusters(nanobind::module_& m);
void bind_features(nanobind::module_& m);
void bind_frontier(nanobind::module_& m);
void bind_graph(nanobind::module_& m);
void bind_kernel(nanobind::module_& m);
void bind_learn(nanobind::module_& m);
void bind_lift(nanobind::module_& m);
void bind_neural(nanobind::module_& m);
void bind_order(nanobind::module_& m);
void bind_parser(nanobind::module_& m);
void bind_parts(nanobind::module_& m);
void bind_prune(nanobind::module_& m);
void bind_repertoire(nanobind::module_& m);
void bind_roles(nanobind::module_& m);
void bind_swap_head(nanobind::module_& m);
void bind_tagger(nanobind::module_& m);
void bind_text(nanobind::module_& m);
void bind_trace(nanobind::module_& m);
void bind_transitions(nanobind::module_& m);
