// The functions of cardan.h: whatever goes wrong becomes a code and a message.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <system_error>

#include "c_interface/handle.hpp"
#include "cardan/version.h"
#include "options/option_list.hpp"
#include "options/unknown_name.hpp"

namespace {

// Of cardan_open(), which has no handle to keep it. Without a destructor, so that a thread that lives on does not hold
// the shared object after it was unloaded.
thread_local char opening_message[8192] = "";

void note_opening(const char* text) noexcept { std::strncpy(opening_message, text, sizeof opening_message - 1); }

/// Runs `act`, which answers with a status; exceptions become one, with what they say for `note`.
template <class Note, class Act>
cardan_status guarded(const Note& note, const Act& act) noexcept {
  try {
    return act();
  } catch (const cardan::ModelError& error) {
    note(error.what());
    return CARDAN_BAD_INPUT;
  } catch (const std::invalid_argument& error) {
    note(error.what());
    return CARDAN_BAD_INPUT;
  } catch (const std::system_error& error) {
    note(error.what());
    return CARDAN_BAD_INPUT;
  } catch (const std::exception& error) {
    note(error.what());
    return CARDAN_INTERNAL;
  } catch (...) {
    note("an unknown error");
    return CARDAN_INTERNAL;
  }
}

template <class Act>
cardan_status with(cardan_simulation* simulation, const Act& act) noexcept {
  if (simulation == nullptr) return CARDAN_BAD_CALL;
  const auto note = [simulation](const char* text) noexcept {
    try {
      simulation->message = text;
    } catch (...) {
      simulation->message.clear();
    }
  };
  return guarded(note, [&] { return act(*simulation); });
}

cardan_status no_place(cardan_simulation& simulation, const char* what) {
  simulation.message = fmt::format("{} is NULL", what);
  return CARDAN_BAD_CALL;
}

cardan_status told(cardan_simulation& simulation, bool good) {
  if (good) return CARDAN_OK;
  simulation.message = simulation.why();
  return CARDAN_FAILED;
}

template <class T>
void take_number(const cardan::RunOption& option, std::string_view text, std::optional<T>& value) {
  T number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size())
    throw std::invalid_argument(fmt::format("option '{}' is '{}', which is no number", option.name, text));
  value = number;
}

void take_option(const cardan_option& given, cardan::SimulationDefaults& options) {
  const std::string_view name = given.name, text = given.value;
  std::vector<std::string> known;
  bool found = false;
  const auto take = [&]<class T>(const cardan::RunOption& option, std::optional<T>& value) {
    known.emplace_back(option.name);
    if (name != option.name) return;
    found = true;
    if constexpr (std::is_same_v<T, std::string>) {
      value = text;
    } else if constexpr (std::is_same_v<T, bool>) {
      if (text != "true" && text != "false")
        throw std::invalid_argument(fmt::format("option '{}' is '{}'; give 'true' or 'false'", name, text));
      value = text == "true";
    } else {
      take_number(option, text, value);
    }
  };
  cardan::visit_options(take, options);
  if (!found) throw std::invalid_argument(cardan::unknown_name("option", name, known));
}

template <class Read>
cardan_status open(const Read& read, const cardan_parameter* parameters, std::size_t parameter_count,
                   const cardan_option* options, std::size_t option_count, cardan_simulation** simulation) {
  if (simulation != nullptr) *simulation = nullptr;
  return guarded(note_opening, [&] {
    bool complete = simulation != nullptr && (parameters != nullptr || parameter_count == 0) &&
                    (options != nullptr || option_count == 0);
    for (std::size_t i = 0; complete && i < parameter_count; ++i) complete = parameters[i].name != nullptr;
    for (std::size_t i = 0; complete && i < option_count; ++i)
      complete = options[i].name != nullptr && options[i].value != nullptr;
    if (!complete) {
      note_opening("a name, a value or the place for the handle is NULL");
      return CARDAN_BAD_CALL;
    }
    cardan_simulation::Parameters values;
    for (std::size_t i = 0; i < parameter_count; ++i) values[parameters[i].name] = parameters[i].value;
    cardan::SimulationDefaults given;
    for (std::size_t i = 0; i < option_count; ++i) take_option(options[i], given);
    cardan::ModelSources sources;
    cardan::Mechanism mechanism = read(values, sources);
    cardan::RunOptions run = cardan::RunOptions::for_mechanism(mechanism);
    run.apply(given);
    *simulation = new cardan_simulation(std::move(mechanism), std::move(sources.parameters), run);
    note_opening("");
    return CARDAN_OK;
  });
}

}  // namespace

extern "C" {

const char* cardan_version(void) { return CARDAN_VERSION; }

cardan_status cardan_open(const char* path, const cardan_parameter* parameters, size_t parameter_count,
                          const cardan_option* options, size_t option_count, cardan_simulation** simulation) {
  const auto read = [path](const cardan_simulation::Parameters& values, cardan::ModelSources& sources) {
    if (path == nullptr) throw std::invalid_argument("the path of the model is NULL");
    return cardan::read_mechanism(path, values, sources);
  };
  return open(read, parameters, parameter_count, options, option_count, simulation);
}

cardan_status cardan_open_text(const char* text, const char* file_name, const cardan_parameter* parameters,
                               size_t parameter_count, const cardan_option* options, size_t option_count,
                               cardan_simulation** simulation) {
  const auto read = [&](const cardan_simulation::Parameters& values, cardan::ModelSources& sources) {
    if (text == nullptr) throw std::invalid_argument("the text of the model is NULL");
    return cardan::read_mechanism_text(text, file_name == nullptr ? "model" : file_name, values, sources);
  };
  return open(read, parameters, parameter_count, options, option_count, simulation);
}

void cardan_close(cardan_simulation* simulation) { delete simulation; }

const char* cardan_message(const cardan_simulation* simulation) {
  return simulation == nullptr ? opening_message : simulation->message.c_str();
}

const char* cardan_name(const cardan_simulation* simulation) {
  return simulation == nullptr ? "" : simulation->name().c_str();
}

size_t cardan_count(const cardan_simulation* simulation, cardan_kind kind) {
  if (simulation == nullptr || kind < CARDAN_INPUT || kind > CARDAN_PARAMETER) return 0;
  return simulation->variables(kind).size();
}

cardan_status cardan_describe(cardan_simulation* simulation, cardan_kind kind, size_t index,
                              cardan_variable* variable) {
  return with(simulation, [&](cardan_simulation& s) {
    if (variable == nullptr) return no_place(s, "the place for the description");
    const auto& v = s.variable(kind, index);
    *variable = {v.name.c_str(), v.unit.c_str(), v.start, v.min, v.max, v.follows ? 1 : 0};
    return CARDAN_OK;
  });
}

cardan_status cardan_find(cardan_simulation* simulation, cardan_kind kind, const char* name, size_t* index) {
  return with(simulation, [&](cardan_simulation& s) {
    if (name == nullptr || index == nullptr) return no_place(s, "the name or the place for the index");
    *index = s.find(kind, name);
    return CARDAN_OK;
  });
}

cardan_status cardan_set_input(cardan_simulation* simulation, size_t index, double value) {
  return with(simulation, [&](cardan_simulation& s) {
    s.set_input(index, value);
    return CARDAN_OK;
  });
}

cardan_status cardan_set_input_named(cardan_simulation* simulation, const char* name, double value) {
  return with(simulation, [&](cardan_simulation& s) {
    if (name == nullptr) return no_place(s, "the name");
    s.set_input(s.find(CARDAN_INPUT, name), value);
    return CARDAN_OK;
  });
}

cardan_status cardan_get(cardan_simulation* simulation, cardan_kind kind, size_t index, double* value) {
  return with(simulation, [&](cardan_simulation& s) {
    if (value == nullptr) return no_place(s, "the place for the value");
    *value = s.value(kind, s.variable(kind, index));
    return CARDAN_OK;
  });
}

cardan_status cardan_get_all(cardan_simulation* simulation, cardan_kind kind, double* values, size_t count) {
  return with(simulation, [&](cardan_simulation& s) {
    const auto& list = s.variables(kind);
    if (values == nullptr && count > 0) return no_place(s, "the place for the values");
    if (count != list.size())
      throw std::invalid_argument(fmt::format("there is room for {} values, but there are {}", count, list.size()));
    for (size_t i = 0; i < count; ++i) values[i] = s.value(kind, list[i]);
    return CARDAN_OK;
  });
}

cardan_status cardan_get_named(cardan_simulation* simulation, const char* signal, double* value) {
  return with(simulation, [&](cardan_simulation& s) {
    if (signal == nullptr || value == nullptr) return no_place(s, "the name or the place for the value");
    *value = s.value(CARDAN_SIGNAL, s.variable(CARDAN_SIGNAL, s.find(CARDAN_SIGNAL, signal)));
    return CARDAN_OK;
  });
}

cardan_status cardan_get_derivatives(cardan_simulation* simulation, size_t input, double* derivatives, size_t count) {
  return with(simulation, [&](cardan_simulation& s) {
    const size_t outputs = s.variables(CARDAN_OUTPUT).size();
    if (derivatives == nullptr && count > 0) return no_place(s, "the place for the derivatives");
    if (count != outputs)
      throw std::invalid_argument(fmt::format("there is room for {} derivatives, but there are {}", count, outputs));
    s.derivatives(input, derivatives);
    return CARDAN_OK;
  });
}

double cardan_time(const cardan_simulation* simulation) {
  return simulation == nullptr ? std::numeric_limits<double>::quiet_NaN() : simulation->time();
}

double cardan_step_size(const cardan_simulation* simulation) {
  return simulation == nullptr ? std::numeric_limits<double>::quiet_NaN() : simulation->step_size();
}

double cardan_end(const cardan_simulation* simulation) {
  return simulation == nullptr ? std::numeric_limits<double>::quiet_NaN() : simulation->end();
}

cardan_status cardan_set_end(cardan_simulation* simulation, double time) {
  return with(simulation, [&](cardan_simulation& s) {
    if (std::isnan(time)) throw std::invalid_argument("the end is not a number");
    s.set_end(time);
    return CARDAN_OK;
  });
}

cardan_status cardan_step(cardan_simulation* simulation) {
  return with(simulation, [](cardan_simulation& s) { return told(s, s.step()); });
}

cardan_status cardan_step_to(cardan_simulation* simulation, double time) {
  return with(simulation, [&](cardan_simulation& s) {
    bool stopped = false;
    if (!std::isfinite(time)) throw std::invalid_argument("the time to step to is not a finite number");
    if (time < s.time() - s.slack())
      throw std::invalid_argument(fmt::format("time goes forward: it is {} s, not yet {} s", s.time(), time));
    return told(s, s.advance(time, false, stopped));
  });
}

cardan_status cardan_step_to_event(cardan_simulation* simulation, double time, int* stopped) {
  if (stopped != nullptr) *stopped = 0;
  return with(simulation, [&](cardan_simulation& s) {
    bool early = false;
    if (!std::isfinite(time)) throw std::invalid_argument("the time to step to is not a finite number");
    if (time < s.time() - s.slack())
      throw std::invalid_argument(fmt::format("time goes forward: it is {} s, not yet {} s", s.time(), time));
    const bool good = s.advance(time, true, early);
    if (stopped != nullptr) *stopped = early ? 1 : 0;
    return told(s, good);
  });
}

int cardan_ended(const cardan_simulation* simulation) { return simulation != nullptr && simulation->ended() ? 1 : 0; }

size_t cardan_state_size(cardan_simulation* simulation) {
  size_t size = 0;
  with(simulation, [&](cardan_simulation& s) {
    size = s.state_size();
    return CARDAN_OK;
  });
  return size;
}

cardan_status cardan_save_state(cardan_simulation* simulation, void* bytes, size_t size, size_t* written) {
  if (written != nullptr) *written = 0;
  return with(simulation, [&](cardan_simulation& s) {
    if (bytes == nullptr) return no_place(s, "the place for the state");
    const size_t needed = s.state_size();
    if (size < needed)
      throw std::invalid_argument(fmt::format("there is room for {} bytes, but the state has {}", size, needed));
    const size_t saved = s.save(bytes);
    if (written != nullptr) *written = saved;
    return CARDAN_OK;
  });
}

cardan_status cardan_restore_state(cardan_simulation* simulation, const void* bytes, size_t size) {
  return with(simulation, [&](cardan_simulation& s) {
    if (bytes == nullptr) return no_place(s, "the state");
    if (s.restore(bytes, size)) return CARDAN_OK;
    s.message = fmt::format("these {} bytes are no state of '{}' with these options", size, s.name());
    return CARDAN_BAD_CALL;
  });
}

cardan_status cardan_take_over(cardan_simulation* simulation, const cardan_simulation* other) {
  return with(simulation, [&](cardan_simulation& s) {
    if (other == nullptr) return no_place(s, "the simulation to take over");
    s.take_over(*other);
    return CARDAN_OK;
  });
}

cardan_status cardan_reset(cardan_simulation* simulation) {
  return with(simulation, [](cardan_simulation& s) {
    s.reset();
    return CARDAN_OK;
  });
}

const char* cardan_summary(cardan_simulation* simulation) {
  const char* text = nullptr;
  with(simulation, [&](cardan_simulation& s) {
    s.text = s.summary();
    text = s.text.c_str();
    return CARDAN_OK;
  });
  return text;
}

}  // extern "C"
