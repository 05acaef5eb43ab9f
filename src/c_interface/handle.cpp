#include "c_interface/handle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>

#include "io/columns.hpp"
#include "mechanism/trajectory_columns.hpp"
#include "options/options_sum.hpp"
#include "options/unknown_name.hpp"
#include "simulation/step_length.hpp"
#include "text/fingerprint.hpp"

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr char kMark[8] = {'C', 'A', 'R', 'D', 'A', 'N', 'S', '4'};  // before a state
/// Of a state as bytes: behind the mark, before the numbers of the simulation.
struct StateHead {
  std::uint64_t sum;  // of all that follows: a damaged state is refused, not run
  double options_sum, step_end, drift;
};

constexpr const char* kKinds[] = {"input", "output", "signal", "parameter"};

bool is_coordinate(const std::string& column, const std::set<std::string>& joints) {
  const std::size_t dot = column.rfind('.');
  if (dot == std::string::npos || joints.count(column.substr(0, dot)) == 0) return false;
  const std::string quantity = column.substr(dot + 1);
  return (quantity[0] == 'q' || quantity[0] == 'v') &&
         std::all_of(quantity.begin() + 1, quantity.end(), [](unsigned char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

cardan_simulation::cardan_simulation(cardan::Mechanism mechanism, std::vector<cardan::ModelParameter> parameters,
                                     const cardan::RunOptions& options)
    : mechanism_(std::move(mechanism)),
      options_(options),
      simulation_(mechanism_, options_),
      row_(simulation_.columns().size()),
      slopes_(row_.size()),
      options_sum_(cardan::options_sum(options)),
      end_(options.until) {
  if (simulation_.pass_events() != cardan::StepStatus::ok) throw std::runtime_error(why());
  step_end_ = simulation_.time();
  list_variables(parameters);
  start_.resize(state_size());
  start_.resize(save(start_.data()));
}

void cardan_simulation::list_variables(const std::vector<cardan::ModelParameter>& parameters) {
  find_row();
  const std::vector<std::string>& columns = simulation_.columns();
  const auto units = cardan::column_units(mechanism_);
  const auto column = [&](std::size_t i) {
    const auto unit = units.find(columns[i]);
    return Variable{columns[i],         unit == units.end() ? "" : unit->second, row_[i], -kInfinity, kInfinity, false,
                    static_cast<int>(i)};
  };
  for (std::size_t i = 1; i < columns.size(); ++i) variables_[CARDAN_SIGNAL].push_back(column(i));
  for (const std::string& name : output_columns())
    variables_[CARDAN_OUTPUT].push_back(
        column(static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin())));
  for (std::size_t i = 0; i < mechanism_.inputs.size(); ++i) {
    const cardan::Input& input = mechanism_.inputs[i];
    if (input.is_given())
      variables_[CARDAN_INPUT].push_back(
          {input.name, input.unit, input.start, input.min, input.max, false, static_cast<int>(i)});
  }
  for (const cardan::ModelParameter& p : parameters)
    variables_[CARDAN_PARAMETER].push_back({p.name, p.unit, p.value, -kInfinity, kInfinity, p.follows, 0});
}

/// Those that the model asks for; without, what it names itself, and where its joints are.
std::vector<std::string> cardan_simulation::output_columns() const {
  const std::vector<std::string>& columns = simulation_.columns();
  std::vector<std::string> found;
  const auto add = [&found](const std::string& name) {
    if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
  };
  for (const std::string& wish : mechanism_.outputs)
    for (const std::string& name : cardan::columns_like(columns, wish)) add(name);
  if (!mechanism_.outputs.empty()) return found;
  std::set<std::string> named, joints;
  for (const cardan::Signal& signal : mechanism_.signals)
    if (signal.shown) named.insert(signal.name);
  for (const cardan::StateVariable& state : mechanism_.states) named.insert(state.name);
  for (const cardan::Input& input : mechanism_.inputs)
    if (!input.is_given()) named.insert(input.name);
  for (const cardan::Joint& joint : mechanism_.joints) joints.insert(joint.name);
  for (const std::string& name : columns)
    if (named.count(name) > 0 || is_coordinate(name, joints)) add(name);
  return found;
}

const std::vector<cardan_simulation::Variable>& cardan_simulation::variables(cardan_kind kind) const {
  const int index = static_cast<int>(kind);
  if (index < 0 || index >= static_cast<int>(variables_.size()))
    throw std::invalid_argument(fmt::format("there is no kind of variable {}", index));
  return variables_[static_cast<std::size_t>(index)];
}

const cardan_simulation::Variable& cardan_simulation::variable(cardan_kind kind, std::size_t index) const {
  const std::vector<Variable>& list = variables(kind);
  if (index >= list.size())
    throw std::invalid_argument(fmt::format("there is no {} {}: the model has {}", kKinds[kind], index, list.size()));
  return list[index];
}

std::size_t cardan_simulation::find(cardan_kind kind, const std::string& name) const {
  const std::vector<Variable>& list = variables(kind);
  const auto found = std::find_if(list.begin(), list.end(), [&](const Variable& v) { return v.name == name; });
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  std::vector<std::string> known;
  for (const Variable& variable : list) known.push_back(variable.name);
  throw std::invalid_argument(cardan::unknown_name(kKinds[kind], name, known));
}

std::optional<std::set<std::size_t>> cardan_simulation::inputs_of(const Variable& output) {
  if (!input_derivatives_)
    input_derivatives_ = std::make_unique<cardan::InputDerivatives>(mechanism_, simulation_.columns());
  std::set<std::size_t> inputs;
  const std::vector<Variable>& given = variables_[CARDAN_INPUT];
  for (std::size_t i = 0; i < given.size(); ++i) {
    const cardan::FollowsInput follows = input_derivatives_->follows(output.index, given[i].index);
    if (follows == cardan::FollowsInput::unknown) return std::nullopt;
    if (follows == cardan::FollowsInput::yes) inputs.insert(i);
  }
  return inputs;
}

void cardan_simulation::derivatives(std::size_t input, double* of_outputs) {
  simulation_.derivatives(variable(CARDAN_INPUT, input).index, slopes_.data());
  for (const Variable& output : variables_[CARDAN_OUTPUT])
    *of_outputs++ = slopes_[static_cast<std::size_t>(output.index)];
}

bool cardan_simulation::knows_derivatives() {
  std::vector<double> slopes(variables_[CARDAN_OUTPUT].size());
  for (std::size_t i = 0; i < variables_[CARDAN_INPUT].size(); ++i) {
    derivatives(i, slopes.data());
    if (std::any_of(slopes.begin(), slopes.end(), [](double slope) { return std::isnan(slope); })) return false;
  }
  return true;
}

void cardan_simulation::set_input(std::size_t index, double value) {
  simulation_.set_input(variable(CARDAN_INPUT, index).index, value);
  row_is_known_ = false;
}

double cardan_simulation::value(cardan_kind kind, const Variable& variable) {
  if (kind == CARDAN_PARAMETER) return variable.start;
  if (kind == CARDAN_INPUT) return simulation_.input_value(variable.index);
  find_row();
  return row_[static_cast<std::size_t>(variable.index)];
}

void cardan_simulation::find_row() {
  if (!row_is_known_) simulation_.sample(row_.data());
  row_is_known_ = true;
}

double cardan_simulation::slack() const { return 1e-6 * options_.step + std::abs(drift_); }

/// As run() has it: whole steps, and exactly up to the end.
double cardan_simulation::next_length(double target) const {
  const double rest = target - time();
  if (simulation_.chooses_steps()) return rest;
  const double h = options_.step;
  if (std::abs(target - end_) <= slack() && rest < h + slack()) return cardan::next_step_length(time(), h, end_);
  return rest < h - slack() ? rest : h;
}

/// A million steps of 0.001 s end 17 ns beside 1000 s: whoever counts k h would else meet another time one day. Before
/// it is more than rounding, one step is made to fit.
void cardan_simulation::note_drift(double target) {
  constexpr double kMost = 0.01;  // of a step
  drift_ = target - time();
  if (std::abs(drift_) > kMost * options_.step) drift_ = 0;
}

bool cardan_simulation::advance(double target, bool stop_at_events, bool& stopped) {
  stopped = false;
  row_is_known_ = false;
  if (target - time() <= slack()) return true;
  while (target - time() > slack()) {
    if (step_end_ - time() <= slack()) step_end_ = time() + next_length(target);
    const bool whole = step_end_ - target <= slack();
    if (simulation_.step_to_event((whole ? step_end_ : target) - time()) != cardan::StepStatus::ok) return false;
    if (simulation_.next_event() > time() + slack()) continue;
    if (simulation_.pass_events() != cardan::StepStatus::ok) return false;
    if (simulation_.ended()) return true;
    if (stop_at_events && target - time() > slack()) return stopped = true;
  }
  note_drift(target);
  return true;
}

bool cardan_simulation::step() {
  bool ignored = false;
  const bool under_way = step_end_ - time() > slack();
  return advance(under_way ? step_end_ : time() + options_.step, false, ignored);
}

std::size_t cardan_simulation::state_size() {
  record_.resize(simulation_.record_size());
  return sizeof kMark + sizeof(StateHead) + sizeof(double) * record_.size();
}

std::size_t cardan_simulation::save(void* bytes) {
  StateHead head{0, options_sum_, step_end_, drift_};
  const std::size_t numbers = simulation_.save(record_.data());
  auto* at = static_cast<unsigned char*>(bytes);
  std::memcpy(at, kMark, sizeof kMark);
  at += sizeof kMark;
  std::memcpy(at, &head, sizeof head);
  std::memcpy(at + sizeof head, record_.data(), sizeof(double) * numbers);
  head.sum = cardan::sum_of_words(at + sizeof head.sum, 3 + numbers);
  std::memcpy(at, &head.sum, sizeof head.sum);
  return sizeof kMark + sizeof head + sizeof(double) * numbers;
}

bool cardan_simulation::restore(const void* bytes, std::size_t size) {
  StateHead head{};
  const auto* at = static_cast<const unsigned char*>(bytes);
  if (size < sizeof kMark + sizeof head || std::memcmp(at, kMark, sizeof kMark) != 0) return false;
  at += sizeof kMark;
  std::memcpy(&head, at, sizeof head);
  const std::size_t rest = size - sizeof kMark - sizeof head;
  if (rest % sizeof(double) != 0 || head.sum != cardan::sum_of_words(at + sizeof head.sum, 3 + rest / sizeof(double)) ||
      head.options_sum != options_sum_ || !std::isfinite(head.step_end) || !std::isfinite(head.drift))
    return false;
  std::vector<double> numbers(rest / sizeof(double));
  std::memcpy(numbers.data(), at + sizeof head, rest);
  try {
    simulation_.restore(numbers);
  } catch (const std::invalid_argument&) {
    return false;
  }
  step_end_ = head.step_end;
  drift_ = head.drift;
  row_is_known_ = false;
  return true;
}

void cardan_simulation::take_over(const cardan_simulation& other) {
  if (options_sum_ != other.options_sum_)
    throw std::invalid_argument(
        fmt::format("'{}' is under way, and its options cannot change on the way", other.name()));
  simulation_ = cardan::Simulation(other.simulation_, mechanism_);
  step_end_ = other.step_end_;
  drift_ = other.drift_;
  end_ = other.end_;
  start_.clear();  // that of the coordinates that it was opened with
  row_is_known_ = false;
}

void cardan_simulation::reset() {
  if (start_.empty())
    throw std::invalid_argument("this model cannot be reset: it has taken over the motion of another one");
  if (!restore(start_.data(), start_.size()))
    throw std::invalid_argument("this model cannot be reset: a program that runs beside it cannot be set back");
  end_ = options_.until;
}
