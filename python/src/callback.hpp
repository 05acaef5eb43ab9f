// Python functions that the library calls from its loops, on whatever thread. What they raise does not go through the
// library, which knows no exceptions there: it is kept, the law answers with NaN, the step fails, and whoever asked for
// the step raises it.
#pragma once

#include <limits>
#include <utility>

#include "bindings.hpp"

namespace cardan::python {

/// What a Python function has raised on this thread, if any; it is forgotten. With the GIL.
void raise_pending();
/// Keeps the error that is being handled, if none is kept already. With the GIL.
void keep_pending() noexcept;

/// Copied and destroyed by any thread.
class Callback {
 public:
  explicit Callback(py::object function);

  /// `use(result)` of the function's answer, within the GIL; `otherwise` when something was raised.
  template <class Result, class Use, class... Arguments>
  Result call(Result otherwise, const Use& use, Arguments&&... arguments) const {
    py::gil_scoped_acquire gil;
    try {
      return use((*function_)(std::forward<Arguments>(arguments)...));
    } catch (...) {
      keep_pending();
      return otherwise;
    }
  }
  /// Of a function that answers with a number.
  template <class... Arguments>
  double number(Arguments&&... arguments) const {
    return call(
        std::numeric_limits<double>::quiet_NaN(), [](const py::object& result) { return result.cast<double>(); },
        std::forward<Arguments>(arguments)...);
  }

 private:
  std::shared_ptr<const py::object> function_;
};

/// Runs `act` without the GIL, and raises what Python functions within it have raised, before what came of it.
template <class Act>
auto without_gil(const Act& act) {
  try {
    if constexpr (std::is_void_v<decltype(act())>) {
      {
        const py::gil_scoped_release release;
        act();
      }
      raise_pending();
    } else {
      auto result = [&] {
        const py::gil_scoped_release release;
        return act();
      }();
      raise_pending();
      return result;
    }
  } catch (...) {
    raise_pending();
    throw;
  }
}

}  // namespace cardan::python
