// The transitions of a parser and their numbers.
#include "core/repertoire.hpp"

#include "bindings/arrays.hpp"
#include "bindings/modules.hpp"

using namespace nb::literals;

using namespace plait;

void bind_repertoire(nb::module_& m) {
    nb::class_<Repertoire>(m, "Repertoire", "Transitions by number.")
        .def(
            "__init__",
            [](Repertoire* self, Input<Label> left, Input<Label> right, Input<std::uint8_t> of_root,
               Input<std::uint8_t> of_words, std::size_t classes, Rows<Label> filter) {
                if (filter.shape(1) != 4) throw std::invalid_argument("no such label filter");
                new (self) Repertoire(view(left), view(right), view(of_root), view(of_words));
                if (classes != 0) self->filter({filter.data(), filter.size()}, classes);
            },
            "left"_a, "right"_a, "of_root"_a, "of_words"_a, "classes"_a, "filter"_a,
            "Labels of LEFT-ARC and RIGHT-ARC, flags of labels that may hang from the root and from words; "
            "and "
            "where labels are filtered the number of classes, and rows of right (0 or 1), head, dependent "
            "and "
            "label.")
        .def("__len__", &Repertoire::size);
}
