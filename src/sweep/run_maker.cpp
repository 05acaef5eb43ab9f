#include "sweep/run_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <system_error>

#include "io/input_file.hpp"
#include "io/result_folder.hpp"
#include "mechanism/asked_options.hpp"
#include "options/option_list.hpp"
#include "sweep/words_of_plan.hpp"
#include "text/csv_text.hpp"

namespace cardan {
namespace {

// Signals and events that a sweep adds to a model; what the model says of them is turned into the words of the plan.
constexpr const char* kAdded = "sweep:";
const std::string kStop = "sweep:stop";

std::string in_words_of_plan(std::string text) {
  text = replaced(std::move(text), fmt::format("event '{}'", kStop), "the rule 'run_when'");
  return replaced(std::move(text), fmt::format("signal '{}", kAdded), "measure '");
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\r', ' ');
  return text;
}

std::vector<std::string> row_names(const SweepPlan& plan) {
  std::vector<std::string> names;
  for (const SweepMeasure& measure : plan.measures) names.push_back(measure.name);
  for (const SweepAxis& axis : plan.axes) names.push_back(axis.is_number() ? axis.name : "");
  return names;
}

std::map<std::string, double> row_constants(const SweepPlan& plan) {
  std::map<std::string, double> constants;
  for (const ModelParameter& parameter : plan.parameters) constants[parameter.name] = parameter.value;
  return constants;
}

}  // namespace

const char* row_status_name(RowStatus status) {
  return status == RowStatus::ok ? "ok" : status == RowStatus::stopped ? "stopped" : "failed";
}

RowExpression::RowExpression(const SweepPlan& plan, const std::string& text)
    : plan_(plan),
      expression_(Expression::compile(text, row_names(plan), row_constants(plan))),
      values_(plan.measures.size() + plan.axes.size()) {}

double RowExpression::evaluate(const std::vector<double>& measures, const RunPoint& point) {
  std::copy(measures.begin(), measures.end(), values_.begin());
  std::copy(point.numbers.begin(), point.numbers.end(),
            values_.begin() + static_cast<std::ptrdiff_t>(plan_.measures.size()));
  return expression_.evaluate(values_);
}

RunMaker::RunMaker(const SweepPlan& plan)
    : plan_(plan),
      points_(plan),
      model_(plan.model),
      may_share_(std::any_of(plan.axes.begin(), plan.axes.end(),
                             [](const SweepAxis& axis) { return axis.kind != SweepAxis::Kind::parameter; })) {
  for (const SweepMeasure& measure : plan.measures) {
    const auto same = std::find_if(expressions_.begin(), expressions_.end(), [&](const YamlPointer& one) {
      return one->kind == YamlNode::Kind::scalar && measure.expression->kind == YamlNode::Kind::scalar &&
             one->text == measure.expression->text;
    });
    signal_of_.push_back(static_cast<std::size_t>(same - expressions_.begin()));
    if (same != expressions_.end()) continue;
    expressions_.push_back(measure.expression);
    signals_.push_back(kAdded + measure.name);
  }
  std::set<std::string> parameters;
  for (const ModelParameter& parameter : plan.parameters) parameters.insert(parameter.name);
  for (const YamlPointer& expression : expressions_) mentions_.push_back(mentions(*expression, parameters));
  read_.resize(expressions_.size());
  for (const SweepConstraint& constraint : plan.constraints) constraints_.emplace_back(plan, constraint.text);
  try {
    const Mechanism own = mechanism({}, true);
    for (const SweepAxis& axis : plan.axes) {
      std::vector<InputTrack>& tracks = tracks_.emplace_back();
      if (axis.kind != SweepAxis::Kind::input_file) continue;
      for (const std::string& file : axis.words) {
        Mechanism scratch = own;
        std::vector<std::string> ignored;
        read_inputs_from_files(scratch, {axis.name + "=" + file}, axis.held, ignored);
        for (const Input& input : scratch.inputs)
          if (input.name == axis.name) tracks.push_back(input.track);
      }
    }
  } catch (const ModelError& error) {
    throw reworded(error, in_words_of_plan);
  }
}

/// Expressions of measures become signals, and the rule that stops a run an event.
void RunMaker::add_measures(Reading& reading, MechanismSpec& spec, bool bare) {
  if (bare) {
    spec.outputs.clear();
    spec.plots.clear();
  }
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    SignalSpec signal;
    signal.name = Name(signals_[i], expressions_[i]->where);
    const std::size_t before = reading.failure_count();
    const auto value =
        read_[i] ? read_[i] : read_varying(reading, *expressions_[i], element_label("signal", signals_[i]), "");
    if (value) signal.value = Located<Varying>(*value, expressions_[i]->where);
    if (reading.failure_count() > before) noted(signal).incomplete = true;
    if (value && !mentions_[i]) read_[i] = value;
    spec.signals.push_back(std::move(signal));
    if (!spec.outputs.empty()) spec.outputs.emplace_back(signals_[i], expressions_[i]->where);
  }
  if (!plan_.stop_guard) return;
  EventSpec stop;
  stop.name = Name(kStop, plan_.stop_guard->where);
  stop.action = Event::Action::end;
  stop.condition = plan_.stop_condition;
  if (const auto guard = read_varying(reading, *plan_.stop_guard, element_label("event", kStop), "'run_when'"))
    stop.guard = Located<Varying>(*guard, plan_.stop_guard->where);
  spec.events.push_back(std::move(stop));
}

Mechanism RunMaker::mechanism(const std::map<std::string, double>& parameters, bool bare) {
  if (made_ && made_->bare == bare && made_->parameters == parameters) return made_->mechanism;
  ModelSources ignored;
  Mechanism made = model_.make(parameters, ignored,
                               [&](Reading& reading, MechanismSpec& spec) { add_measures(reading, spec, bare); });
  if (may_share_) made_ = Made{parameters, bare, made};
  return made;
}

std::map<std::string, double> RunMaker::parameters() const {
  std::map<std::string, double> parameters;
  for (std::size_t i = 0; i < plan_.axes.size(); ++i)
    if (plan_.axes[i].kind == SweepAxis::Kind::parameter) parameters.emplace(plan_.axes[i].name, point_.numbers[i]);
  return parameters;
}

void RunMaker::set_inputs(Mechanism& mechanism) const {
  for (std::size_t i = 0; i < plan_.axes.size(); ++i) {
    const SweepAxis& axis = plan_.axes[i];
    if (axis.kind != SweepAxis::Kind::input && axis.kind != SweepAxis::Kind::input_file) continue;
    for (Input& input : mechanism.inputs) {
      if (input.name != axis.name) continue;
      if (axis.kind == SweepAxis::Kind::input) {
        input.start = point_.numbers[i];
      } else {
        input.track = tracks_[i][point_.choices[i]];
      }
    }
  }
}

SimulationDefaults RunMaker::options() const {
  SimulationDefaults given = plan_.options;
  for (std::size_t i = 0; i < plan_.axes.size(); ++i) {
    const SweepAxis& axis = plan_.axes[i];
    if (axis.kind != SweepAxis::Kind::option) continue;
    const auto set = [&](const RunOption& option, auto& value) {
      using Value = typename std::remove_reference_t<decltype(value)>::value_type;
      if (option.name != axis.name) return;
      if constexpr (std::is_same_v<Value, std::string>) {
        value = axis.words[point_.choices[i]];
      } else if constexpr (std::is_same_v<Value, bool>) {
        value = axis.words[point_.choices[i]] == "true";
      } else {
        value = static_cast<Value>(point_.numbers[i]);
      }
    };
    visit_options(set, given);
  }
  return given;
}

RunRow RunMaker::make(std::uint64_t run, const std::atomic<bool>* stop, const std::filesystem::path& folder) {
  points_.find(run, point_);
  RunRow row;
  try {
    row = simulate(stop, folder);
  } catch (const ModelError& error) {
    row.status = RowStatus::failed;
    row.reason = error.diagnostics().empty() ? error.what() : error.diagnostics().front().unmarked_text();
  } catch (const std::invalid_argument& error) {
    row.status = RowStatus::failed;
    row.reason = error.what();
  }
  row.reason = one_line(in_words_of_plan(row.reason));
  if (row.status == RowStatus::failed) row.measures.clear();
  judge_constraints(row);
  return row;
}

void RunMaker::judge_constraints(RunRow& row) {
  if (row.status == RowStatus::failed) return;
  for (RowExpression& constraint : constraints_)
    row.constraints.push_back(constraint.evaluate(row.measures, point_) > 0);
}

RunRow RunMaker::simulate(const std::atomic<bool>* stop, const std::filesystem::path& folder) {
  const bool bare = folder.empty();
  Mechanism made = mechanism(parameters(), bare);
  set_inputs(made);
  const RunOptions asked = asked_options(made, options());
  // Columns are known when the run starts: with a trajectory they stand among many.
  struct Found final : Sink {
    const RunMaker& maker;
    std::optional<MeasureSink> sink;
    explicit Found(const RunMaker& m) : maker(m) {}
    void start(const std::vector<std::string>& names) override {
      std::vector<std::size_t> at;
      for (const std::size_t signal : maker.signal_of_)
        at.push_back(
            static_cast<std::size_t>(std::find(names.begin(), names.end(), maker.signals_[signal]) - names.begin()));
      sink.emplace(maker.plan_.measures, std::move(at));
      sink->start(names);
    }
    void sample(const double* row, std::size_t size) override { sink->sample(row, size); }
  } found(*this);
  RunSummary summary;
  if (bare) {
    RunControl control;
    control.stop = stop;
    control.signals = &signals_;
    control.bare = true;
    summary = cardan::run(made, asked, &found, {}, nullptr, control);
  } else {
    FolderRun how;
    how.stop = stop;
    how.steps_file = "none";
    how.also = &found;
    WrittenRun written = run_into_folder(made, asked, ResultFolder(folder), how);
    if (!written.error.empty()) throw std::system_error(std::make_error_code(std::errc::io_error), written.error);
    summary = std::move(written.summary);
  }
  RunRow row;
  row.stepping_seconds = summary.cpu_seconds;
  row.interrupted = summary.status == RunStatus::interrupted;
  row.reason = summary.reason;
  if (summary.status == RunStatus::failed) row.status = RowStatus::failed;
  if (summary.status == RunStatus::ok && summary.reason.find(kStop) != std::string::npos)
    row.status = RowStatus::stopped;
  if (found.sink) row.measures = found.sink->values();
  return row;
}

std::vector<std::string> RunMaker::point_cells(std::uint64_t run) {
  points_.find(run, point_);
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < plan_.axes.size(); ++i) {
    const SweepAxis& axis = plan_.axes[i];
    cells.push_back(axis.is_number() ? fmt::format("{}", point_.numbers[i]) : axis.words[point_.choices[i]]);
  }
  return cells;
}

std::string RunMaker::point_text(std::uint64_t run) {
  std::string text;
  for (const std::string& cell : point_cells(run)) text += (text.empty() ? "" : ",") + csv_text(cell);
  return text;
}

std::string table_header(const SweepPlan& plan) {
  std::string text = "run";
  for (const SweepAxis& axis : plan.axes) text += ',' + csv_text(axis.name);
  text += ",status";
  for (const SweepMeasure& measure : plan.measures) text += ',' + csv_text(measure.name);
  if (!plan.constraints.empty()) text += ",feasible,violated";
  return text + ",reason";
}

std::string table_line(const SweepPlan& plan, std::uint64_t run, const std::string& point, const RunRow& row) {
  std::string text = fmt::format("{},{},{}", run + 1, point, row_status_name(row.status));
  for (std::size_t i = 0; i < plan.measures.size(); ++i) {
    text += ',';
    if (!row.measures.empty() && row.measures[i] == row.measures[i])
      fmt::format_to(std::back_inserter(text), "{}", row.measures[i]);
  }
  if (!plan.constraints.empty()) {
    std::string violated;
    for (std::size_t i = 0; i < row.constraints.size(); ++i)
      if (!row.constraints[i]) violated += (violated.empty() ? "" : " ") + plan.constraints[i].name;
    text += row.constraints.empty() ? ",0," : violated.empty() ? ",1," : ",0," + csv_text(violated);
  }
  return text + ',' + csv_text(row.reason);
}

}  // namespace cardan
