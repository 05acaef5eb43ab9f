#include "instance.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cardan_fmu {
namespace {

constexpr char kMark[8] = {'C', 'A', 'R', 'D', 'A', 'N', 'F', '2'};

class Writer {
 public:
  explicit Writer(std::vector<unsigned char>& bytes) : bytes_(bytes) { bytes_.clear(); }
  template <class T>
  void value(T& v) {
    const auto* at = reinterpret_cast<const unsigned char*>(&v);
    bytes_.insert(bytes_.end(), at, at + sizeof v);
  }
  template <class T>
  void list(std::vector<T>& values) {
    for (T& v : values) value(v);
  }
  bool good() const { return true; }

 private:
  std::vector<unsigned char>& bytes_;
};

class Reader {
 public:
  explicit Reader(const std::vector<unsigned char>& bytes) : bytes_(bytes) {}
  template <class T>
  void value(T& v) {
    if (bytes_.size() - at_ < sizeof v) {
      good_ = false;
      return;
    }
    std::memcpy(&v, bytes_.data() + at_, sizeof v);
    at_ += sizeof v;
  }
  template <class T>
  void list(std::vector<T>& values) {
    for (T& v : values) value(v);
  }
  bool good() const { return good_; }
  std::size_t at() const { return at_; }

 private:
  const std::vector<unsigned char>& bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

const char* mode_name(Mode mode) {
  switch (mode) {
    case kInstantiated:
      return "instantiated";
    case kInitialization:
      return "in initialization";
    case kStepping:
      return "stepping";
    case kDiscarded:
      return "at a discarded step";
    case kTerminated:
      return "terminated";
    case kError:
      return "in error";
  }
  return "";
}

}  // namespace

Instance::Instance(Resources resources, Log log) : resources_(std::move(resources)), log_(std::move(log)) {}

Instance::~Instance() { cardan_close(simulation_); }

std::unique_ptr<Instance> Instance::create(const char* name, const char* token, const std::string& folder, Log log) {
  Resources resources;
  std::string why_not;
  if (name == nullptr || *name == 0) {
    why_not = "an instance needs a name";
  } else if (read_resources(folder, resources, why_not) && (token == nullptr || resources.token != token)) {
    why_not = "the model description is of another FMU: it has the token '" +
              std::string(token == nullptr ? "" : token) + "', this one '" + resources.token + "'";
  }
  if (!why_not.empty()) {
    log(Severity::error, "logStatusError", why_not.c_str());
    return nullptr;
  }
  std::unique_ptr<Instance> instance(new Instance(std::move(resources), std::move(log)));
  if (!instance->open({})) return nullptr;
  instance->output_count_ = cardan_count(instance->simulation_, CARDAN_OUTPUT);
  for (auto [kind, wish] :
       {std::pair(CARDAN_INPUT, &instance->inputs_), std::pair(CARDAN_PARAMETER, &instance->parameters_)}) {
    wish->is_set.assign(cardan_count(instance->simulation_, kind), 0);
    wish->value.assign(wish->is_set.size(), 0);
  }
  instance->initial_ = instance->parameters_;
  return instance;
}

cardan_simulation* Instance::opened_with(const Wish& wish) {
  std::vector<cardan_parameter> parameters;
  std::vector<cardan_option> options;
  std::vector<std::string> names;
  for (const auto& [name, value] : resources_.parameters) parameters.push_back({name.c_str(), value});
  for (const auto& [name, value] : resources_.options) options.push_back({name.c_str(), value.c_str()});
  names.reserve(wish.value.size());
  for (std::size_t i = 0; i < wish.value.size(); ++i) {
    cardan_variable variable;
    if (wish.is_set[i] == 0 || cardan_describe(simulation_, CARDAN_PARAMETER, i, &variable) != CARDAN_OK) continue;
    names.emplace_back(variable.name);
    const auto given = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const cardan_parameter& p) { return names.back() == p.name; });
    if (given != parameters.end()) {
      given->value = wish.value[i];
    } else {
      parameters.push_back({names.back().c_str(), wish.value[i]});
    }
  }
  const std::string path = resources_.folder + (resources_.folder.back() == '/' ? "" : "/") + resources_.model;
  cardan_simulation* opened = nullptr;
  if (cardan_open(path.c_str(), parameters.data(), parameters.size(), options.data(), options.size(), &opened) !=
      CARDAN_OK)
    fail(cardan_message(nullptr));
  return opened;
}

bool Instance::open(const Wish& parameters) {
  cardan_simulation* opened = opened_with(parameters);
  if (opened == nullptr) return false;
  cardan_close(simulation_);
  simulation_ = opened;
  parameters_changed_ = false;
  if (stop_defined_) cardan_set_end(simulation_, stop_);
  return apply_inputs();
}

bool Instance::tune() {
  cardan_simulation* opened = opened_with(parameters_);
  if (opened == nullptr) return false;
  if (cardan_take_over(opened, simulation_) != CARDAN_OK) {
    const std::string why_not = cardan_message(opened);
    cardan_close(opened);
    return fail(why_not);
  }
  cardan_close(simulation_);
  simulation_ = opened;
  parameters_changed_ = false;
  note("parameters have changed at " + std::to_string(time()) + " s");
  return true;
}

bool Instance::is_tunable(const char* name) const {
  return std::find(resources_.tunable.begin(), resources_.tunable.end(), name) != resources_.tunable.end();
}

bool Instance::apply_inputs() {
  for (std::size_t i = 0; i < inputs_.value.size(); ++i)
    if (inputs_.is_set[i] != 0 && cardan_set_input(simulation_, i, inputs_.value[i]) != CARDAN_OK)
      return fail(cardan_message(simulation_));
  return true;
}

bool Instance::prepare() {
  if (!parameters_changed_) return true;
  return (mode_ & (kInstantiated | kInitialization)) != 0 ? open(parameters_) : tune();
}

bool Instance::allows(unsigned modes, const char* function) {
  if ((mode_ & modes) != 0) return true;
  return fail(std::string(function) + " may not be called while the instance is " + mode_name(mode_));
}

bool Instance::fail(const std::string& message) {
  mode_ = kError;
  log_(Severity::error, "logStatusError", message.c_str());
  return false;
}

void Instance::note(const std::string& message) {
  if (notes_are_logged_) log_(Severity::note, "logEvents", message.c_str());
}

bool Instance::set(const unsigned* references, std::size_t count, const double* values) {
  if (count > 0 && (references == nullptr || values == nullptr)) return fail("value references or values are NULL");
  for (std::size_t i = 0; i < count; ++i)
    if (!set_one(references[i], values[i])) return false;
  return true;
}

bool Instance::get(const unsigned* references, std::size_t count, double* values) {
  if (count > 0 && (references == nullptr || values == nullptr)) return fail("value references or values are NULL");
  if (mode_ != kError && !prepare()) return false;  // after an error, what was there before it
  for (std::size_t i = 0; i < count; ++i)
    if (!get_one(references[i], values[i])) return false;
  return true;
}

bool Instance::set_one(unsigned reference, double value) {
  const std::size_t inputs = inputs_.value.size();
  const auto what = [reference] { return "the variable with the value reference " + std::to_string(reference); };
  if (!std::isfinite(value)) return fail(what() + " is set to what is no finite number");
  if (reference == 0) return fail("the time cannot be set");
  std::size_t index = reference - 1;
  if (index < inputs) {
    inputs_.is_set[index] = 1;
    inputs_.value[index] = value;
    return cardan_set_input(simulation_, index, value) == CARDAN_OK || fail(cardan_message(simulation_));
  }
  index -= inputs;
  if (index < output_count_) return fail(what() + " is an output and cannot be set");
  index -= output_count_;
  cardan_variable variable;
  if (index >= parameters_.value.size() ||
      cardan_describe(simulation_, CARDAN_PARAMETER, index, &variable) != CARDAN_OK)
    return fail("there is no variable with the value reference " + std::to_string(reference));
  if (variable.follows != 0) return fail(what() + " follows other parameters and cannot be set");
  const bool under_way = (mode_ & (kInstantiated | kInitialization)) == 0;
  if (under_way && !is_tunable(variable.name))
    return fail("parameter '" + std::string(variable.name) + "' is fixed once the initialization is over");
  parameters_.is_set[index] = 1;
  parameters_.value[index] = value;
  parameters_changed_ = true;
  if (!under_way) initial_ = parameters_;
  return true;
}

bool Instance::get_one(unsigned reference, double& value) {
  if (reference == 0) {
    value = time();
    return true;
  }
  std::size_t index = reference - 1;
  for (const auto& [kind, count] :
       {std::pair(CARDAN_INPUT, inputs_.value.size()), std::pair(CARDAN_OUTPUT, output_count_),
        std::pair(CARDAN_PARAMETER, parameters_.value.size())}) {
    if (index < count)
      return cardan_get(simulation_, kind, index, &value) == CARDAN_OK || fail(cardan_message(simulation_));
    index -= count;
  }
  return fail("there is no variable with the value reference " + std::to_string(reference));
}

bool Instance::set_up(double start, bool stop_defined, double stop) {
  if (start != 0) return fail("this model starts at the time 0, not at " + std::to_string(start));
  if (stop_defined && !(stop >= start)) return fail("the experiment ends before it starts");
  set_up_ = true;
  stop_defined_ = stop_defined;
  stop_ = stop;
  if (stop_defined) cardan_set_end(simulation_, stop);
  return true;
}

bool Instance::enter_initialization() {
  mode_ = kInitialization;
  return true;
}

bool Instance::exit_initialization() {
  if (!prepare()) return false;
  mode_ = kStepping;
  return true;
}

double Instance::time() const { return cardan_time(simulation_); }

bool Instance::terminated_by_model() const { return cardan_ended(simulation_) != 0; }

/// Of a step: so far from that of the model the time of a communication point may be after a long run, which rounds the
/// sum of its steps.
constexpr double kRounding = 0.02;

Answer Instance::step(double time, double length, bool* early) {
  const double rounding = kRounding * cardan_step_size(simulation_), end = time + length;
  const auto refuse = [this](const std::string& why) {
    fail(why);
    return Answer::error;
  };
  if (!std::isfinite(time) || !std::isfinite(length) || length <= 0)
    return refuse("a step goes from a time over a length above 0");
  if (std::abs(time - this->time()) > rounding)
    return refuse("a step is asked for from " + std::to_string(time) + " s, but the time is " +
                  std::to_string(this->time()) + " s");
  if (!prepare()) return Answer::error;
  if (stop_defined_ && end > stop_ + rounding)
    return refuse("a step is asked for up to " + std::to_string(end) + " s, beyond the end at " +
                  std::to_string(stop_) + " s");
  int stopped = 0;
  const cardan_status status =
      early == nullptr ? cardan_step_to(simulation_, end) : cardan_step_to_event(simulation_, end, &stopped);
  if (early != nullptr) *early = stopped != 0;
  if (status != CARDAN_OK) return refuse(cardan_message(simulation_));
  if (stopped != 0) note("an event at " + std::to_string(this->time()) + " s");
  if (!terminated_by_model()) return Answer::ok;
  note("an event has ended the run at " + std::to_string(this->time()) + " s");
  return Answer::discard;
}

bool Instance::terminate() {
  mode_ = kTerminated;
  return true;
}

bool Instance::reset() {
  const bool other =
      std::any_of(parameters_.is_set.begin(), parameters_.is_set.end(), [](char set) { return set != 0; });
  for (Wish* wish : {&inputs_, &parameters_, &initial_}) std::fill(wish->is_set.begin(), wish->is_set.end(), 0);
  set_up_ = stop_defined_ = false;
  mode_ = kInstantiated;
  parameters_changed_ = false;
  if (!other && cardan_reset(simulation_) == CARDAN_OK) return true;
  return open(parameters_);
}

template <class Archive>
bool Instance::visit(Archive& archive) {
  auto mode = static_cast<std::uint32_t>(mode_);
  archive.value(mode);
  auto flags = static_cast<std::uint8_t>((set_up_ ? 1 : 0) | (stop_defined_ ? 2 : 0));
  archive.value(flags);
  set_up_ = (flags & 1) != 0;
  stop_defined_ = (flags & 2) != 0;
  archive.value(stop_);
  for (Wish* wish : {&inputs_, &parameters_, &initial_}) {
    archive.list(wish->is_set);
    archive.list(wish->value);
  }
  mode_ = static_cast<Mode>(mode);
  return archive.good() && *mode_name(mode_) != 0;
}

Instance::State* Instance::save(State* state) {
  if (state != nullptr && !owns(state)) {
    fail("this is no state of this instance");
    return nullptr;
  }
  if (mode_ != kError && !prepare()) return nullptr;
  const std::size_t size = cardan_state_size(simulation_);
  std::vector<unsigned char>& bytes = saved_;
  Writer writer(bytes);
  for (char mark : kMark) writer.value(mark);
  visit(writer);
  const std::size_t own = bytes.size();
  std::size_t written = 0;
  bytes.resize(own + size);
  if (cardan_save_state(simulation_, bytes.data() + own, size, &written) != CARDAN_OK) {
    fail(cardan_message(simulation_));
    return nullptr;
  }
  bytes.resize(own + written);
  if (state == nullptr) state = states_.emplace_back(std::make_unique<State>()).get();
  state->bytes = bytes;
  return state;
}

bool Instance::owns(const State* state) const {
  return std::any_of(states_.begin(), states_.end(), [&](const auto& own) { return own.get() == state; });
}

bool Instance::restore(const State& state) {
  const Wish parameters = parameters_, initial = initial_;
  Reader reader(state.bytes);
  char mark[sizeof kMark] = {};
  for (char& c : mark) reader.value(c);
  if (std::memcmp(mark, kMark, sizeof kMark) != 0 || !visit(reader))
    return fail("these bytes are no state of this FMU");
  // What was simulated with other parameters is another mechanism, in the coordinates that it began with.
  if (parameters_changed_ || parameters != parameters_ || initial != initial_) {
    if (!open(initial_) || (initial_ != parameters_ && !tune())) return false;
  }
  if (stop_defined_) cardan_set_end(simulation_, stop_);
  if (cardan_restore_state(simulation_, state.bytes.data() + reader.at(), state.bytes.size() - reader.at()) !=
      CARDAN_OK)
    return fail(cardan_message(simulation_));
  parameters_changed_ = false;
  return true;
}

bool Instance::free(State* state) {
  const auto found = std::find_if(states_.begin(), states_.end(), [&](const auto& own) { return own.get() == state; });
  if (found == states_.end()) return fail("this is no state of this instance");
  states_.erase(found);
  return true;
}

Instance::State* Instance::take(const unsigned char* bytes, std::size_t size) {
  if (bytes == nullptr || size < sizeof kMark || std::memcmp(bytes, kMark, sizeof kMark) != 0) {
    fail("these bytes are no state of this FMU");
    return nullptr;
  }
  State* state = states_.emplace_back(std::make_unique<State>()).get();
  state->bytes.assign(bytes, bytes + size);
  return state;
}

}  // namespace cardan_fmu
