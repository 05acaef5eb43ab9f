#include "companions.hpp"

#include <fmt/format.h>

#include "arrays.hpp"
#include "callback.hpp"
#include "descriptions.hpp"

namespace cardan::python {

namespace {

/// One object that `make` gave, with step(t, h, inputs), and start(t, inputs), save() and restore(bytes) where it has
/// them.
class PyCompanionRun final : public CompanionRun {
 public:
  PyCompanionRun(Callback maker, std::size_t inputs, std::size_t outputs)
      : make_(std::move(maker)), inputs_(inputs), outputs_(outputs) {
    const py::gil_scoped_acquire gil;
    make();
  }
  ~PyCompanionRun() override { drop(); }

  bool start(double t, const double* inputs, double* outputs) override {
    return within([&] {
      const bool has = py::hasattr(object_, "start");
      give(has ? object_.attr("start")(t, values(inputs)) : object_.attr("step")(t, 0.0, values(inputs)), outputs);
    });
  }
  bool step(double t, double h, const double* inputs, double* outputs) override {
    return within([&] { give(object_.attr("step")(t, h, values(inputs)), outputs); });
  }
  bool reset() override {
    return within([&] { make(); });
  }
  bool can_save() const override { return can_save_; }
  bool save(std::vector<std::uint8_t>& bytes) override {
    return within([&] {
      const std::string text = object_.attr("save")().cast<py::bytes>();
      bytes.assign(text.begin(), text.end());
    });
  }
  bool restore(const std::vector<std::uint8_t>& bytes) override {
    return within(
        [&] { object_.attr("restore")(py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size())); });
  }
  const std::string& complaint() const override { return complaint_; }

 private:
  /// What is raised is kept for whoever asked for the step, as that of laws is.
  template <class Act>
  bool within(const Act& act) {
    const py::gil_scoped_acquire gil;
    try {
      act();
      return true;
    } catch (const std::exception& error) {
      complaint_ = error.what();
      keep_pending();
      return false;
    }
  }
  /// With the GIL; throws what `make` raises.
  void make() {
    object_ = make_.call(py::object(), [](py::object made) { return made; });
    raise_pending();
    if (!py::hasattr(object_, "step"))
      throw std::invalid_argument("a companion needs a method step(t, h, inputs), which '" +
                                  py::str(object_).cast<std::string>() + "' does not have");
    can_save_ = py::hasattr(object_, "save") && py::hasattr(object_, "restore");
  }
  void drop() {
    if (Py_IsInitialized() == 0) {
      object_.release();  // the interpreter has taken its objects with it
      return;
    }
    const py::gil_scoped_acquire gil;
    object_ = py::object();
  }
  py::array_t<double> values(const double* inputs) const {
    return py::array_t<double>(static_cast<py::ssize_t>(inputs_), inputs);
  }
  /// One number stands for a list of one.
  void give(const py::object& answer, double* outputs) const {
    const auto numbers = answer.cast<Numbers>();
    if (static_cast<std::size_t>(numbers.size()) != outputs_)
      throw std::invalid_argument(fmt::format("it has {} outputs, but gave {} numbers", outputs_, numbers.size()));
    std::copy_n(numbers.data(), outputs_, outputs);
  }

  Callback make_;
  std::size_t inputs_, outputs_;
  py::object object_;
  bool can_save_ = false;
  std::string complaint_;
};

class PyCompanionModel final : public CompanionModel {
 public:
  PyCompanionModel(const py::function& make, std::size_t inputs, std::size_t outputs)
      : make_(make),
        identity_(
            fmt::format("Python {}", py::str(py::getattr(make, "__qualname__", py::repr(make))).cast<std::string>())),
        inputs_(inputs),
        outputs_(outputs) {}
  std::unique_ptr<CompanionRun> instantiate(const std::string&, const SourceLocation&) const override {
    return std::make_unique<PyCompanionRun>(make_, inputs_, outputs_);
  }
  const std::string& identity() const override { return identity_; }

 private:
  Callback make_;
  std::string identity_;
  std::size_t inputs_, outputs_;
};

}  // namespace

MechanismBuilder& add_companion(MechanismBuilder& builder, const std::string& name, const py::function& make,
                                double period, const py::dict& inputs, const py::object& outputs) {
  CompanionSpec spec;
  spec.name = name;
  spec.period = period;
  const std::string element = fmt::format("companion '{}'", name);
  if (!(period > 0))
    throw std::invalid_argument(fmt::format("{}: its period is {}, but should be above 0", element, period));
  for (const auto& [variable, value] : inputs) {
    const auto word = variable.cast<std::string>();
    spec.inputs.push_back({word, varying_of(value, element, fmt::format("input '{}'", word))});
  }
  if (py::isinstance<py::dict>(outputs)) {
    for (const auto& [variable, start] : outputs.cast<py::dict>())
      spec.outputs.push_back({variable.cast<std::string>(), start.cast<double>(), ""});
  } else {
    for (const py::handle variable : outputs) spec.outputs.push_back({variable.cast<std::string>(), 0, ""});
  }
  if (spec.outputs.empty()) throw std::invalid_argument(fmt::format("{}: it has no outputs", element));
  spec.model = std::make_shared<PyCompanionModel>(make, spec.inputs.size(), spec.outputs.size());
  MechanismSpec whole = builder.spec();
  whole.companions.push_back(std::move(spec));
  builder = MechanismBuilder(std::move(whole));
  return builder;
}

}  // namespace cardan::python
