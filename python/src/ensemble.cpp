// Many instances of one mechanism, four at a time in lanes.
#include "cardan/ensemble.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "callback.hpp"

namespace cardan::python {
namespace {

std::unique_ptr<Ensemble> make(const py::list& models, const std::vector<std::string>& signals, const py::kwargs& keywords) {
  std::vector<Mechanism> instances;
  for (const py::handle model : models)
    instances.push_back(model_of(py::reinterpret_borrow<py::object>(model))->mechanism);
  if (instances.empty()) throw std::invalid_argument("an ensemble has one instance at least");
  const RunOptions options = options_of(instances.front(), keywords);
  return without_gil([&] { return std::make_unique<Ensemble>(instances, options, signals); });
}

/// Ctrl-C is looked for in between.
void steps(Ensemble& ensemble, std::int64_t count) {
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t end = std::min<std::int64_t>(count, done + 256);
    without_gil([&] {
      for (; done < end; ++done) ensemble.step();
      return 0;
    });
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

/// One row for each instance.
py::array_t<double> samples(Ensemble& ensemble) {
  const auto columns = static_cast<py::ssize_t>(ensemble.columns().size());
  py::array_t<double> rows({static_cast<py::ssize_t>(ensemble.size()), columns});
  for (int i = 0; i < ensemble.size(); ++i) ensemble.sample(i, rows.mutable_data(i, 0));
  return rows;
}

}  // namespace

void bind_ensemble(py::module_& module) {
  py::class_<Ensemble> c(module, "Ensemble",
                         "Instances of one mechanism that differ in numbers alone, four at a time in the lanes of the "
                         "processor's vectors. The same steps as Simulation makes, equal to rounding.");
  c.def(py::init(&make), py::arg("models"), py::arg("signals") = std::vector<std::string>{},
        "An instance for each model. Options are those of run(); the formulation is hybrid, the step constant.");
  c.def_static(
      "refusal",
      [](const py::object& model, const py::kwargs& keywords) {
        const ModelPointer known = model_of(model);
        return Ensemble::refusal(known->mechanism, options_of(known->mechanism, keywords));
      },
      py::arg("model"), "Why a model cannot go in lanes with these options; empty when it can.");
  c.def_static("instructions", &Ensemble::instructions, "The set of instructions that steps use: 'avx2' or 'plain'.");
  c.def("__len__", &Ensemble::size);
  c.def("steps", &steps, py::arg("count") = 1, "So many steps of the option `step`. One that cannot go on stays where it was.");
  c.def(
      "ok", [](const Ensemble& e, int i) { return e.status(i) == StepStatus::ok; }, py::arg("instance"),
      "Whether an instance is still under way.");
  c.def("time", &Ensemble::time, py::arg("instance"), "s");
  c.def("state", &Ensemble::state, py::arg("instance"), py::return_value_policy::copy, "The motion of an instance.");
  c.def("restore", &Ensemble::restore, py::arg("instance"), py::arg("state"), "Lets an instance go on from a state.");
  c.def("set_input", &Ensemble::set_input, py::arg("instance"), py::arg("input"), py::arg("value"),
        "From now on.");
  c.def_property_readonly("columns", &Ensemble::columns, "Names of what sample() tells of.");
  c.def("sample", &samples, "A row of the columns for each instance.");
}

}  // namespace cardan::python
