// Flags that end work, for Python to set and to look at.
#include "core/cancel.hpp"

#include <optional>

#include "bindings/modules.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using plait::Cancel;
using plait::Cancelled;
using plait::Watch;

// A watch for work that Python does itself: from `with` to the end of its block, in one thread.
class Watching {
  public:
    explicit Watching(const Cancel* cancel) : cancel_(cancel) {}

    void enter() { watch_.emplace(cancel_); }
    void exit() { watch_.reset(); }

  private:
    const Cancel* cancel_;
    std::optional<Watch> watch_;
};

void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Cancelled& error) {
        const nb::object type = nb::module_::import_("plait.errors").attr("Cancelled");
        PyErr_SetString(type.ptr(), error.what());
    }
}

}  // namespace

void bind_cancel(nb::module_& m) {
    nb::register_exception_translator(translate);
    nb::class_<Cancel>(m, "Cancel", "A flag that ends work; any thread may set it, once and for all.")
        .def(nb::init<const Cancel*>(), "above"_a.none() = nb::none(), nb::keep_alive<1, 2>(),
             "A flag that is set too when the one above it is.")
        .def("cancel", &Cancel::cancel, "Set it: what works with this flag raises Cancelled soon.")
        .def_prop_ro("cancelled", &Cancel::cancelled);
    nb::class_<Watching>(m, "Watching", "Within its block, `check_cancelled` looks at a flag.")
        .def(nb::init<const Cancel*>(), "cancel"_a.none(), nb::keep_alive<1, 2>())
        .def("__enter__", &Watching::enter)
        .def(
            "__exit__", [](Watching& self, nb::handle, nb::handle, nb::handle) { self.exit(); },
            nb::arg().none(), nb::arg().none(), nb::arg().none());
    m.def("check_cancelled", &plait::check_cancelled, "Raise Cancelled if the flag of this work is set.");
}
