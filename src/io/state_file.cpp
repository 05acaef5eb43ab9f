#include "io/state_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "io/whole_file.hpp"
#include "options/option_list.hpp"
#include "text/fingerprint.hpp"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kStateVersion = 4;
constexpr auto kRecordPause = std::chrono::milliseconds(2);  // between two looks whether a record has come

std::string text_of(const Fingerprint& fingerprint) { return fmt::format("{:016x}", fingerprint.sum()); }

/// Every option but `until`, under the names of the model file.
Json options_json(const RunOptions& options) {
  Json result{{"cut", options.cut}};
  const auto add = [&result]<class T>(const RunOption& option, const T& value) {
    if constexpr (requires { value.has_value(); }) {
      result[option.name] = value ? Json(*value) : Json(nullptr);
    } else {
      result[option.name] = value;
    }
  };
  visit_options(add, options);
  result.erase("until");
  return result;
}

Json origin_json(const RunOrigin& origin) {
  Json options = options_json(origin.options);
  options["steps_file"] = origin.steps_file;
  return {{"model", origin.model}, {"files", origin.files}, {"parameters", origin.parameters}, {"options", options}};
}

std::string as_text(const std::vector<double>& numbers) {
  std::string text;
  char buffer[32];
  for (const double number : numbers) {
    if (!text.empty()) text += ' ';
    text.append(buffer, std::to_chars(buffer, std::end(buffer), number).ptr);
  }
  return text;
}

std::vector<double> as_numbers(const std::string& text) {
  std::vector<double> numbers;
  const char *at = text.data(), *const end = at + text.size();
  while (at != end) {
    const auto [rest, error] = std::from_chars(at, end, numbers.emplace_back());
    if (error != std::errc() || (rest != end && *rest != ' ')) throw std::invalid_argument("no number");
    at = rest == end ? end : rest + 1;
  }
  return numbers;
}

std::string sum_of(const Json& json) {
  Fingerprint sum;
  for (const char* key : {"origin", "rows", "step_rows", "time", "numbers"})
    sum.add(json.at(key).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  return text_of(sum);
}

std::string shown(const Json& value, const char* absent = "automatic") {
  return value.is_null() ? absent : value.is_string() ? value.get<std::string>() : value.dump();
}

/// "step 0.01, now 0.02"; empty where both agree. `absent`: what stands for a value that was not given.
std::string first_difference(const Json& saved, const Json& now, const char* absent) {
  for (const auto& [key, value] : now.items()) {
    const Json before = saved.value(key, Json(nullptr));
    if (before != value) return fmt::format("{} {}, now {}", key, shown(before, absent), shown(value, absent));
  }
  for (const auto& [key, value] : saved.items()) {
    if (!now.contains(key)) return fmt::format("{} {}, now {}", key, shown(value, absent), absent);
  }
  return {};
}

void check_origin(const std::string& file, const Json& saved, const Json& now) {
  const auto refuse = [&file](const std::string& difference, const char* remedy) {
    throw std::invalid_argument(fmt::format("{} cannot be gone on from: {}; {}", file, difference, remedy));
  };
  constexpr const char* kAnew = "leave --resume out to start anew";
  if (saved.at("model") != now.at("model")) {
    refuse(
        fmt::format("it was saved by the model '{}', this is '{}'", shown(saved.at("model")), shown(now.at("model"))),
        "give another --out, or leave --resume out");
  }
  if (const std::string other = first_difference(saved.at("parameters"), now.at("parameters"), "as the model has it");
      !other.empty())
    refuse(fmt::format("it was saved with the parameter {}", other), "give the same --set, or leave --resume out");
  if (saved.at("files") != now.at("files")) refuse("the model has been changed since it was saved", kAnew);
  if (const std::string other = first_difference(saved.at("options"), now.at("options"), "automatic"); !other.empty())
    refuse(fmt::format("it was saved with {}", other), "only the end may be another; give the same options");
}

}  // namespace

RunOrigin RunOrigin::of(const std::string& model, const std::vector<std::string>& files,
                        const std::map<std::string, double>& parameters, const RunOptions& options,
                        const std::string& steps_file) {
  Fingerprint contents;
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    contents.add(fmt::format("{}\n{}", text.size(), text));
  }
  return {model, text_of(contents), parameters, options, steps_file};
}

void write_state(const std::filesystem::path& file, const RunOrigin& origin, const RunRecord& record) {
  Json json{
      {"cardan_state", kStateVersion}, {"time", record.time}, {"rows", record.rows}, {"step_rows", record.step_rows}};
  json["origin"] = origin_json(origin);
  json["numbers"] = as_text(record.numbers);
  json["sum"] = sum_of(json);
  write_whole(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

RunRecord read_state(const std::filesystem::path& file, const RunOrigin& origin) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw std::invalid_argument(
        fmt::format("there is no {} to go on from; leave --resume out to start anew", file.string()));
  }
  const Json json = Json::parse(in, nullptr, false);
  if (json.is_object() && json.contains("cardan_state") && json["cardan_state"].is_number_integer() &&
      json["cardan_state"] != kStateVersion) {
    throw std::invalid_argument(
        fmt::format("{} was saved by another version of the program (its format is {}, here it is {}); leave --resume "
                    "out to start anew",
                    file.string(), json["cardan_state"].dump(), kStateVersion));
  }
  RunRecord record;
  Json saved;
  try {
    if (json.at("cardan_state") != kStateVersion || json.at("sum") != sum_of(json))
      throw std::invalid_argument("damaged");
    json.at("rows").get_to(record.rows);
    json.at("step_rows").get_to(record.step_rows);
    json.at("time").get_to(record.time);
    record.numbers = as_numbers(json.at("numbers"));
    saved = json.at("origin");
  } catch (const std::exception&) {
    throw std::invalid_argument(fmt::format("{} is damaged; leave --resume out to start anew", file.string()));
  }
  check_origin(file.string(), saved,
               Json::parse(origin_json(origin).dump(-1, ' ', false, Json::error_handler_t::replace)));
  return record;
}

StateKeeper::StateKeeper(std::filesystem::path file, RunOrigin origin, double seconds,
                         std::function<bool(const RunRecord&)> rows_are_written)
    : file_(std::move(file)),
      origin_(std::move(origin)),
      seconds_(seconds),
      rows_are_written_(std::move(rows_are_written)) {}

StateKeeper::~StateKeeper() = default;

void StateKeeper::start(std::size_t numbers) {
  record_.numbers.reserve(numbers);
  last_.numbers.reserve(numbers);
  if (seconds_ > 0) thread_ = std::jthread([this](const std::stop_token& stop) { follow(stop); });
}

void StateKeeper::keep(bool last) {
  if (last) {
    ended_ = true;
  } else {
    wanted_.store(false, std::memory_order_relaxed);
    full_.store(true, std::memory_order_release);
  }
}

void StateKeeper::follow(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any pause;
  const auto wait = [&](std::chrono::duration<double> time) {
    std::unique_lock lock(mutex);
    pause.wait_for(lock, stop, time, [] { return false; });
  };
  while (!stop.stop_requested()) {
    wait(std::chrono::duration<double>(seconds_));
    if (stop.stop_requested()) return;
    wanted_.store(true, std::memory_order_release);
    while (!stop.stop_requested() && !full_.load(std::memory_order_acquire)) wait(kRecordPause);
    while (!stop.stop_requested() && !rows_are_written_(record_)) wait(kRecordPause);
    if (stop.stop_requested()) return;
    write(record_);
    full_.store(false, std::memory_order_relaxed);
  }
}

void StateKeeper::write(const RunRecord& record) {
  if (!error_.empty()) return;
  try {
    write_state(file_, origin_, record);
  } catch (const std::system_error& error) {
    error_ = error.what();
  }
}

std::string StateKeeper::finish() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  if (ended_) write(last_);
  return error_;
}

}  // namespace cardan
