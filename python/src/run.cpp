// Whole runs, with their samples kept in memory.
#include <atomic>
#include <chrono>
#include <cmath>

#include "arrays.hpp"
#include "callback.hpp"
#include "cardan/csv_sink.hpp"
#include "cardan/scene.hpp"
#include "hdf5/h5_sink.hpp"
#include "io/columns.hpp"
#include "io/result_folder.hpp"
#include "mechanism/trajectory_columns.hpp"
#include "options/unknown_name.hpp"
#include "simulation.hpp"

namespace cardan::python {

namespace {

/// The rows of a run, one after the other.
class Recording : public Sink {
 public:
  explicit Recording(std::size_t rows_expected) : rows_expected_(rows_expected) {}
  void start(const std::vector<std::string>& columns) override {
    columns_ = columns;
    values_.reserve(std::min(rows_expected_ * columns.size(), kReservedAtMost));
  }
  void sample(const double* row, std::size_t size) override { values_.insert(values_.end(), row, row + size); }

  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t rows() const { return columns_.empty() ? 0 : values_.size() / columns_.size(); }
  double* data() { return values_.data(); }
  const double* row(std::size_t index) const { return values_.data() + index * columns_.size(); }

 private:
  static constexpr std::size_t kReservedAtMost = 1 << 25;  // numbers; more come when they are needed
  std::size_t rows_expected_;
  std::vector<std::string> columns_;
  std::vector<double> values_;
};

py::array_t<double> table(const py::object& self) {
  auto& recording = self.cast<Recording&>();
  return view_of(recording.data(),
                 {static_cast<py::ssize_t>(recording.rows()), static_cast<py::ssize_t>(recording.columns().size())},
                 self);
}

/// Ends runs from another thread.
struct StopFlag {
  std::atomic<bool> set = false;
};

/// What Python wants to know and say while a run is under way.
class Attendant {
 public:
  Attendant(const py::object& progress, StopFlag& stop) : stop_(stop) {
    if (!progress.is_none()) progress_.emplace(progress);
  }
  /// Called every so many steps, without the GIL: looks for Ctrl-C now and then.
  void operator()(double time) {
    using Clock = std::chrono::steady_clock;
    if (Clock::now() - last_ < std::chrono::milliseconds(50)) return;
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) {
      PyErr_Clear();
      interrupted = true;
      stop_.set = true;
    } else if (progress_) {
      const bool fine = progress_->call(
          false, [](const py::object&) { return true; }, time);
      if (!fine) stop_.set = true;
    }
    last_ = Clock::now();
  }
  bool interrupted = false;

 private:
  StopFlag& stop_;
  std::optional<Callback> progress_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

struct RunResult {
  ModelPointer model;
  std::shared_ptr<Recording> samples, steps;
  RunSummary summary;
  bool interrupted = false;  // by Ctrl-C
};

/// What calls a Python function before every step.
std::function<void(Simulation&)> controller_of(const ModelPointer& model, const py::object& function, StopFlag& stop,
                                               std::shared_ptr<PySimulation>& seen) {
  if (function.is_none()) return {};
  return [&, callback = Callback(function)](Simulation& simulation) {
    const py::gil_scoped_acquire gil;
    if (!seen) seen = std::make_shared<PySimulation>(model, simulation);
    seen->moved();
    if (!callback.call(
            false, [](const py::object&) { return true; }, seen))
      stop.set = true;
  };
}

RunResult run_model(const py::object& description, const py::dict& keywords, const py::object& progress,
                    const py::object& controller, bool estimate_error, StopFlag& stop) {
  RunResult result;
  result.model = model_of(description);
  const Mechanism& mechanism = result.model->mechanism;
  const RunOptions options = options_of(mechanism, keywords);
  const double steps = std::min(options.until / options.step, 1e9);
  result.samples = std::make_shared<Recording>(static_cast<std::size_t>(steps / options.every) + 3);
  result.steps = std::make_shared<Recording>(static_cast<std::size_t>(steps / options.every) + 3);
  Attendant attendant(progress, stop);
  std::shared_ptr<PySimulation> seen;
  RunControl control;
  control.stop = &stop.set;
  control.steps_every = options.every;
  control.estimate_error = estimate_error;
  control.controller = controller_of(result.model, controller, stop, seen);
  const auto leave = [&seen] {
    if (seen) seen->leave();
  };
  try {
    result.summary = without_gil([&] {
      return run(
          mechanism, options, result.samples.get(), [&](double t) { attendant(t); }, result.steps.get(), control);
    });
  } catch (...) {
    leave();
    throw;
  }
  leave();
  result.interrupted = attendant.interrupted;
  return result;
}

void write_rows(const Recording& recording, const std::filesystem::path& file, auto&& sink) {
  sink.start(recording.columns());
  for (std::size_t i = 0; i < recording.rows(); ++i) sink.sample(recording.row(i), recording.columns().size());
  sink.finish();
  if (!sink.error().empty()) throw std::runtime_error(file.string() + ": " + sink.error());
}

/// "csv", "h5" or "csv,h5".
std::pair<bool, bool> formats_of(const std::string& words) {
  if (words == "csv") return {true, false};
  if (words == "h5") return {false, true};
  if (words == "csv,h5" || words == "h5,csv") return {true, true};
  throw std::invalid_argument("the format is '" + words + "', but should be 'csv', 'h5' or 'csv,h5'");
}

/// As `cardan run` leaves it, but for state.json.
void write_result(const RunResult& result, const std::string& path, bool overwrite, const std::string& format) {
  const auto [csv, h5] = formats_of(format);
  const py::gil_scoped_release release;
  const ResultFolder folder{path};
  const Mechanism& mechanism = result.model->mechanism;
  const auto trajectory = folder / "trajectory.csv", trajectory_h5 = folder / "trajectory.h5",
             steps = folder / "steps.csv";
  if (!overwrite) refuse_results_of_others(folder.path(), mechanism.name);
  refuse_to_replace(result.model->sources.files,
                    {trajectory, trajectory_h5, steps, folder / "scene.json", folder / "summary.json"});
  for (const auto& old : {trajectory, trajectory_h5, folder / "summary.json", folder / "state.json"})
    std::filesystem::remove(old);
  write_file(folder / "scene.json", scene_json(mechanism));
  if (csv) write_rows(*result.samples, trajectory, CsvSink(trajectory));
  if (h5) write_rows(*result.samples, trajectory_h5, H5Sink(trajectory_h5, {mechanism.name, column_units(mechanism)}));
  write_rows(*result.steps, steps, CsvSink(steps));
  write_file(folder / "summary.json", result.summary.json());
}

}  // namespace

void bind_run(py::module_& module) {
  py::class_<Recording, std::shared_ptr<Recording>>(module, "Recording", "Rows of a run.")
      .def_property_readonly("table", &table, "All rows; the array shares their memory.")
      .def_property_readonly("columns", &Recording::columns, "Names of the columns.");
  py::class_<StopFlag>(module, "StopFlag", "Ends runs from another thread.")
      .def(py::init<>())
      .def(
          "set", [](StopFlag& flag) { flag.set = true; }, "Every run that was given this flag ends at its next step.");
  py::class_<RunResult>(module, "RunResult", "What a run leaves: samples, steps, summary.")
      .def_property_readonly(
          "mechanism", [](const RunResult& r) { return std::const_pointer_cast<Model>(r.model); }, "What ran.")
      .def_readonly("samples", &RunResult::samples, "The Recording of the motion.")
      .def_readonly("steps", &RunResult::steps, "The Recording of the steps.")
      .def_readonly("interrupted", &RunResult::interrupted, "Whether Ctrl-C ended it.")
      .def_property_readonly(
          "summary", [](const RunResult& r) { return r.summary.json(); }, "The text of summary.json.")
      .def("save", &write_result, py::arg("folder"), py::arg("overwrite") = false, py::arg("format") = "csv",
           "Writes the files of `cardan run`.");
  module.def("columns_like", &columns_like, py::arg("columns"), py::arg("pattern"),
             "Those that match, `*` standing for anything.");
  module.def(
      "unknown_column",
      [](const std::string& name, const std::vector<std::string>& columns) {
        return unknown_name("column", name, columns);
      },
      py::arg("name"), py::arg("columns"), "What is said of a column that is not there.");
  module.def("run_model", &run_model, py::arg("model"), py::arg("options"), py::arg("progress"), py::arg("controller"),
             py::arg("estimate_error"), py::arg("stop"), "See cardan.run().");
}

}  // namespace cardan::python
