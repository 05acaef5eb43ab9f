#include "callback.hpp"

#include <exception>

namespace cardan::python {

namespace {
thread_local std::exception_ptr pending;
}  // namespace

void raise_pending() {
  if (!pending) return;
  std::rethrow_exception(std::exchange(pending, nullptr));
}

void keep_pending() noexcept {
  if (!pending) pending = std::current_exception();
}

Callback::Callback(py::object function)
    : function_(new py::object(std::move(function)), [](const py::object* object) {
        if (Py_IsInitialized() == 0) return;  // the interpreter has taken its objects with it
        const py::gil_scoped_acquire gil;
        delete object;
      }) {}

}  // namespace cardan::python
