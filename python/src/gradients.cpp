// Runs with derivatives by numbers of the mechanism, forward and backwards.
#include "arrays.hpp"
#include "bindings.hpp"
#include "callback.hpp"
#include "cardan/adjoint.hpp"

namespace cardan::python {
namespace {

using Row = Eigen::Map<const VecX>;

/// Rows of the signals one after the other, and behind each other parameters x columns for each of them.
class GradientRecording : public GradientSink {
 public:
  void start(const std::vector<std::string>& columns) override { columns_ = columns; }
  void sample(const VecX& row, const Eigen::MatrixXd& slopes) override {
    rows_.insert(rows_.end(), row.data(), row.data() + row.size());
    for (Eigen::Index p = 0; p < slopes.rows(); ++p)
      for (Eigen::Index c = 0; c < slopes.cols(); ++c) slopes_.push_back(slopes(p, c));
    parameters_ = slopes.rows();
  }

  const std::vector<std::string>& columns() const { return columns_; }
  static py::array_t<double> table(const py::object& self) {
    auto& own = self.cast<GradientRecording&>();
    return view_of(own.rows_.data(), {own.samples(), own.width()}, self);
  }
  static py::array_t<double> slopes(const py::object& self) {
    auto& own = self.cast<GradientRecording&>();
    return view_of(own.slopes_.data(), {own.samples(), own.parameters_, own.width()}, self);
  }

 private:
  py::ssize_t width() const { return static_cast<py::ssize_t>(columns_.size()); }
  py::ssize_t samples() const { return columns_.empty() ? 0 : static_cast<py::ssize_t>(rows_.size()) / width(); }
  std::vector<std::string> columns_;
  std::vector<double> rows_, slopes_;
  py::ssize_t parameters_ = 0;
};

/// Functions of the table of samples; each answers with a number and its derivatives by that table.
class PythonResults : public AdjointResults {
 public:
  PythonResults(const py::list& functions, std::size_t columns) : columns_(columns) {
    for (const py::handle function : functions) functions_.emplace_back(py::reinterpret_borrow<py::object>(function));
  }
  int size() const override { return static_cast<int>(functions_.size()); }
  void sample(const VecX& row) override { rows_.insert(rows_.end(), row.data(), row.data() + row.size()); }
  bool weights(std::int64_t index, Eigen::MatrixXd& weights) const override {
    evaluate();
    const auto width = static_cast<Eigen::Index>(columns_);
    weights.resize(size(), width);
    for (Eigen::Index k = 0; k < weights.rows(); ++k)
      weights.row(k) = Row(weights_[static_cast<std::size_t>(k)].data() + index * width, width).transpose();
    return !weights.isZero(0);
  }
  /// Asks the functions, once.
  void evaluate() const {
    if (!values_.empty()) return;
    for (const Callback& function : functions_) {
      std::vector<double>& by = weights_.emplace_back(rows_.size(), 0.0);
      const auto take = [&](const py::object& answer) {
        const auto [value, derivatives] = answer.cast<std::pair<double, Numbers>>();
        if (static_cast<std::size_t>(derivatives.size()) != rows_.size())
          throw std::invalid_argument("a result's derivatives have the shape of the table of samples");
        std::copy_n(derivatives.data(), rows_.size(), by.data());
        return value;
      };
      values_.push_back(ask(function, take));
    }
  }
  const std::vector<double>& values() const { return values_; }

 private:
  template <class Take>
  double ask(const Callback& function, const Take& take) const {
    const py::gil_scoped_acquire gil;
    const auto width = static_cast<py::ssize_t>(columns_);
    const py::array_t<double> table({static_cast<py::ssize_t>(rows_.size()) / width, width}, rows_.data());
    return function.call(std::numeric_limits<double>::quiet_NaN(), take, table);
  }
  std::size_t columns_;
  std::vector<Callback> functions_;
  std::vector<double> rows_;
  mutable std::vector<std::vector<double>> weights_;
  mutable std::vector<double> values_;
};

/// `make` is asked with a list of values.
MechanismMaker maker_of(const py::function& make) {
  return [callback = Callback(make)](const std::vector<double>& values) {
    const ModelPointer made = callback.call(
        ModelPointer(), [](const py::object& model) { return model_of(model); }, values);
    if (!made) throw std::invalid_argument("the mechanism cannot be made");  // as was raised, and is raised again
    return made->mechanism;
  };
}

struct GradientRequest {
  MechanismMaker maker;
  std::vector<GradientParameter> parameters;
  RunOptions options;
  GradientOptions how;
};

GradientRequest request_of(const py::function& make, const py::list& parameters, const py::dict& keywords,
                           bool alternate) {
  GradientRequest request;
  request.maker = maker_of(make);
  std::vector<double> values;
  for (const py::handle entry : parameters) {
    const auto [name, value, scale] = entry.cast<std::tuple<std::string, double, double>>();
    request.parameters.push_back({name, value, scale});
    values.push_back(value);
  }
  request.options = options_of(without_gil([&] { return request.maker(values); }), keywords);
  request.how.alternate = alternate;
  return request;
}

py::tuple forward(const py::function& make, const py::list& parameters, const std::vector<std::string>& signals,
                  const py::dict& keywords, bool alternate) {
  const GradientRequest request = request_of(make, parameters, keywords, alternate);
  auto recording = std::make_shared<GradientRecording>();
  const RunSummary summary = without_gil([&] {
    return run_with_gradients(request.maker, request.parameters, request.options, signals, *recording, request.how);
  });
  return py::make_tuple(recording, summary.json());
}

py::tuple backwards(const py::function& make, const py::list& parameters, const std::vector<std::string>& signals,
                    const py::list& functions, const py::dict& keywords) {
  const GradientRequest request = request_of(make, parameters, keywords, false);
  PythonResults results(functions, signals.size() + 1);
  Eigen::MatrixXd gradient;
  const RunSummary summary = without_gil([&] {
    RunSummary ended =
        run_with_adjoint(request.maker, request.parameters, request.options, signals, results, gradient, request.how);
    if (ended.status == RunStatus::ok) results.evaluate();
    return ended;
  });
  return py::make_tuple(array_of(results.values()), array_of(gradient), summary.json());
}

}  // namespace

void bind_gradients(py::module_& module) {
  py::class_<GradientRecording, std::shared_ptr<GradientRecording>>(module, "GradientRecording",
                                                                    "Samples with their derivatives.")
      .def_property_readonly("columns", &GradientRecording::columns, "The time and the signals.")
      .def_property_readonly("table", &GradientRecording::table, "Samples x columns; shares their memory.")
      .def_property_readonly("slopes", &GradientRecording::slopes,
                             "Samples x parameters x columns; shares their memory.");
  module.def("run_gradients", &forward, py::arg("make"), py::arg("parameters"), py::arg("signals"), py::arg("options"),
             py::arg("alternate"), "See cardan.run_with_gradients().");
  module.def("run_adjoint", &backwards, py::arg("make"), py::arg("parameters"), py::arg("signals"), py::arg("results"),
             py::arg("options"), "See cardan.run_with_adjoint().");
  module.def(
      "adjoint_refusal",
      [](const py::object& model, const py::kwargs& keywords) {
        const ModelPointer known = model_of(model);
        return adjoint_refusal(known->mechanism, options_of(known->mechanism, keywords));
      },
      py::arg("model"), "Why a run of a model cannot be gone through backwards; empty when it can.");
}

}  // namespace cardan::python
