// How the core works while Python waits.
#pragma once

#include <nanobind/nanobind.h>

#include "core/cancel.hpp"

// For as long as it lives the GIL is released, and the work of this thread ends with `Cancelled` when the
// flag is set, or with the exception of a signal handler of Python, such as KeyboardInterrupt.
class CoreWork {
  public:
    explicit CoreWork(const plait::Cancel* cancel = nullptr) : watch_(cancel, look_at_signals) {
        plait::check_cancelled();
    }

  private:
    static void look_at_signals() {
        const nanobind::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    }

    nanobind::gil_scoped_release release_;
    plait::Watch watch_;
};
