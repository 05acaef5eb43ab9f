// A mechanism under way.
#include "simulation.hpp"

#include "arrays.hpp"
#include "callback.hpp"
#include "options/unknown_name.hpp"

namespace cardan::python {

namespace {

PyObject* step_error = nullptr;  // held for as long as the interpreter lives

void raise_step_error(StepStatus status, const std::string& reason) {
  py::object instance = py::reinterpret_borrow<py::object>(step_error)(reason);
  instance.attr("status") = status_name(status);
  PyErr_SetObject(step_error, instance.ptr());
  throw py::error_already_set();
}

template <class Act>
void stepped(PySimulation& s, const Act& act) {
  Simulation& simulation = s.get();
  s.moved();
  const StepStatus status = without_gil([&] { return act(simulation); });
  if (status != StepStatus::ok) raise_step_error(status, simulation.summary().reason);
}

void step(PySimulation& s) {
  stepped(s, [](Simulation& simulation) { return simulation.step(); });
}
void step_by(PySimulation& s, double h) {
  stepped(s, [h](Simulation& simulation) { return simulation.step(h); });
}

/// Many steps, the controller before each of them.
void steps(PySimulation& s, const py::object& self, std::int64_t count, const py::object& controller) {
  if (controller.is_none()) {
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t end = std::min<std::int64_t>(count, done + 1024);  // Ctrl-C is looked for in between
      stepped(s, [&](Simulation& simulation) {
        StepStatus status = StepStatus::ok;
        for (; done < end && status == StepStatus::ok; ++done) status = simulation.step();
        return status;
      });
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    return;
  }
  for (std::int64_t done = 0; done < count; ++done) {
    controller(self);
    step(s);
  }
}

void restore(PySimulation& s, const Context& context) {
  s.moved();
  s.get().restore(context);
}
void restore_record(PySimulation& s, const Numbers& record) {
  s.moved();
  s.get().restore(std::span(record.data(), static_cast<std::size_t>(record.size())));
}

py::array_t<double> save(const PySimulation& s) {
  std::vector<double> numbers(s.get().record_size());
  numbers.resize(s.get().save(numbers.data()));
  return array_of(numbers);
}

py::array_t<double> poses(const PySimulation& s) {
  const auto bodies = static_cast<py::ssize_t>(s.mechanism().bodies.size());
  py::array_t<double> values({bodies, py::ssize_t{12}});
  s.get().poses(values.mutable_data());
  return values;
}

py::array_t<double> row(const py::object& self) {
  std::vector<double>& values = self.cast<PySimulation&>().row();
  return view_of(values.data(), {static_cast<py::ssize_t>(values.size())}, self);
}

py::array_t<double> sample_at(PySimulation& s, double t) {
  std::vector<double> values(s.get().columns().size());
  without_gil([&] { s.get().sample_at(t, values.data()); });
  return array_of(values);
}

int body_index(const PySimulation& s, const std::string& name) {
  const auto& body = find_by_name("body", name, s.mechanism().bodies);
  return static_cast<int>(&body - s.mechanism().bodies.data());
}

BodyMotion body_motion(const PySimulation& s, int index) {
  if (index < 0 || index >= static_cast<int>(s.mechanism().bodies.size()))
    throw py::index_error("there is no such body");
  return s.get().body(index);
}

void set_input(PySimulation& s, int input, double value) {
  if (input < 0 || input >= static_cast<int>(s.mechanism().inputs.size()))
    throw py::index_error("there is no such input");
  s.moved();
  s.get().set_input(input, value);
}

double input_value(const PySimulation& s, int input) {
  if (input < 0 || input >= static_cast<int>(s.mechanism().inputs.size()))
    throw py::index_error("there is no such input");
  return s.get().input_value(input);
}

py::array_t<double> derivatives(PySimulation& s, int input) {
  if (input < 0 || input >= static_cast<int>(s.mechanism().inputs.size()))
    throw py::index_error("there is no such input");
  py::array_t<double> row(static_cast<py::ssize_t>(s.get().columns().size()));
  s.get().derivatives(input, row.mutable_data());
  return row;
}

}  // namespace

PySimulation::PySimulation(ModelPointer model, const RunOptions& options) : model_(std::move(model)) {
  own_ = without_gil([&] { return std::make_unique<Simulation>(model_->mechanism, options); });
  simulation_ = own_.get();
}

PySimulation::PySimulation(ModelPointer model, Simulation& other) : model_(std::move(model)), simulation_(&other) {}

int PySimulation::signal(const std::string& name) {
  const std::vector<std::string>& columns = get().columns();
  if (indices_.empty())
    for (std::size_t i = 0; i < columns.size(); ++i) indices_.emplace(columns[i], static_cast<int>(i));
  const auto found = indices_.find(name);
  if (found == indices_.end()) throw std::invalid_argument(unknown_name("signal", name, columns));
  return found->second;
}

double PySimulation::value(int signal) {
  const std::vector<double>& values = row();
  if (signal < 0 || signal >= static_cast<int>(values.size())) throw py::index_error("there is no such signal");
  return values[static_cast<std::size_t>(signal)];
}

std::vector<double>& PySimulation::row() {
  if (row_is_known_) return row_;
  row_.resize(get().columns().size());
  get().sample(row_.data());
  raise_pending();
  row_is_known_ = true;
  return row_;
}

namespace {

using Class = py::class_<PySimulation, std::shared_ptr<PySimulation>>;

py::list planned_events(const PySimulation& simulation) {
  py::list events;
  for (const EventSummary& event : simulation.get().planned_events()) {
    py::dict entry;
    entry["name"] = event.name, entry["time"] = event.time, entry["condition"] = event.condition;
    entry["constraints"] = event.constraints, entry["redundant_constraints"] = event.redundant_constraints;
    entry["degrees_of_freedom"] = event.degrees_of_freedom, entry["driven"] = event.driven;
    events.append(entry);
  }
  return events;
}

void bind_stepping(Class& c) {
  c.def("step", &step,
        "One step of the option `step`; raises StepError when the motion cannot go on, with the state as it was.");
  c.def("step", &step_by, py::arg("h"),
        "A step of another length, s; of integrators that choose their steps at most that.");
  c.def(
      "steps",
      [](const py::object& self, std::int64_t count, const py::object& controller) {
        steps(self.cast<PySimulation&>(), self, count, controller);
      },
      py::arg("count"), py::arg("controller") = py::none(),
      "So many steps, with controller(simulation) called before each of them.");
  c.def(
      "step_to_event", [](PySimulation& s, double h) { stepped(s, [h](Simulation& x) { return x.step_to_event(h); }); },
      py::arg("h"),
      "A step of h seconds or up to the next event, whichever comes first; that event has not happened yet.");
  c.def(
      "pass_events", [](PySimulation& s) { stepped(s, [](Simulation& x) { return x.pass_events(); }); },
      "Lets the events happen that are due now.");
  c.def_property_readonly(
      "time", [](const PySimulation& s) { return s.get().time(); }, "s");
  c.def_property_readonly(
      "ended", [](const PySimulation& s) { return s.get().ended(); }, "Whether an event has ended the run.");
  c.def("planned_events", &planned_events,
        "All events, each a dict with its name and time (infinite where a condition brings it about), and the counts "
        "after it.");
  c.def_property_readonly(
      "next_event", [](const PySimulation& s) { return s.get().next_event(); },
      "When it is due, s; infinity without one.");
  c.def_property_readonly("chooses_steps", [](const PySimulation& s) { return s.get().chooses_steps(); });
}

void bind_signals(Class& c) {
  c.def(
      "input", [](const PySimulation& s, const std::string& name) { return s.get().input(name); }, py::arg("name"),
      "The handle of an input, looked up once.");
  c.def("set_input", &set_input, py::arg("input"), py::arg("value"),
        "From now on the input is `value`, within its limits.");
  c.def(
      "set_input",
      [](PySimulation& s, const std::string& name, double value) { set_input(s, s.get().input(name), value); },
      py::arg("input"), py::arg("value"));
  c.def("input_value", &input_value, py::arg("input"), "The value that was given last.");
  c.def(
      "input_value",
      [](const PySimulation& s, const std::string& name) { return s.get().input_value(s.get().input(name)); },
      py::arg("input"));
  c.def(
      "derivatives", &derivatives, py::arg("input"),
      "How every column changes at once for a unit of an input, the motion being as it is: exact; NaN of accelerations "
      "and forces.");
  c.def(
      "derivatives", [](PySimulation& s, const std::string& name) { return derivatives(s, s.get().input(name)); },
      py::arg("input"));
  c.def("signal", &PySimulation::signal, py::arg("name"), "The handle of a signal, a column of trajectory.csv.");
  c.def("value", &PySimulation::value, py::arg("signal"), "Of a signal, by its handle.");
  c.def(
      "__getitem__", [](PySimulation& s, const std::string& name) { return s.value(s.signal(name)); }, py::arg("name"),
      "The value of a signal by name.");
  c.def_property_readonly(
      "columns", [](const PySimulation& s) { return s.get().columns(); }, "Names of the signals.");
  c.def_property_readonly(
      "row", &row,
      "The values of all signals now. Shares memory: asked again after a step, the same array has the new values.");
  c.def("sample_at", &sample_at, py::arg("t"),
        "All signals at a time within the last step, of integrators that choose their steps.");
}

void bind_states(Class& c) {
  c.def(
      "state", [](const PySimulation& s) { return Context(s.get().state()); },
      "Everything that the next step depends on, a value.");
  c.def("restore", &restore, py::arg("state"), "Goes back to a state, bit for bit.");
  c.def("restore", &restore_record, py::arg("state"));
  c.def("save", &save, "The state with all that the summary tells of the way there, as numbers for restore().");
  c.def("body", &body_motion, py::arg("body"),
        "The motion of a body, by its index in Mechanism.bodies or by its name.");
  c.def(
      "body", [](const PySimulation& s, const std::string& name) { return body_motion(s, body_index(s, name)); },
      py::arg("body"));
  c.def("poses", &poses, "Of all bodies: place of the mass centre and the axes, column by column, 12 numbers a row.");
  c.def_property_readonly(
      "energy", [](const PySimulation& s) { return s.get().energy(); }, "Kinetic and potential, J.");
  c.def_property_readonly(
      "length", [](const PySimulation& s) { return s.get().length(); }, "The size of the mechanism, m.");
  c.def("_summary", [](const PySimulation& s) { return s.get().summary().json(); });
  c.def_property_readonly(
      "reason", [](const PySimulation& s) { return s.get().summary().reason; },
      "Why the last step failed; else empty.");
}

}  // namespace

void bind_simulation(py::module_& module) {
  Class c(module, "Simulation",
          "A mechanism under way: step by step, with inputs and signals. Of one thread at a time.");
  c.def(py::init([](const py::object& model, const py::kwargs& options) {
          ModelPointer pointer = model_of(model);
          const RunOptions chosen = options_of(pointer->mechanism, options);
          return std::make_shared<PySimulation>(std::move(pointer), chosen);
        }),
        py::arg("model"), "Assembles the mechanism. Options are those of run().");
  bind_stepping(c);
  bind_signals(c);
  bind_states(c);
  module.def("_set_step_error", [](const py::object& type) { step_error = type.inc_ref().ptr(); });
}

}  // namespace cardan::python
