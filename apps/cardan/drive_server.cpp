#include "drive_server.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cardan/scene.hpp"
#include "mechanism/trajectory_columns.hpp"
#include "page_address.hpp"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostMistakes = 100;  // of one page, before it is no longer listened to

/// The head of a frame of columns.
struct FrameHead {
  std::uint32_t magic = 0x46445243, mode = 0;
  std::uint64_t step = 0, stamp = 0;
  double time = 0, scale = 0;
  std::uint32_t count = 0, zero = 0;
};
static_assert(sizeof(FrameHead) == 48 && std::endian::native == std::endian::little);

Json or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json quantiles_json(const TimeHistogram& times) {
  return {{"p50", times.quantile(0.5)},
          {"p99", times.quantile(0.99)},
          {"p99_9", times.quantile(0.999)},
          {"max", times.largest()}};
}

/// Which page's, and its own number: a page's stamps come back to it alone.
std::uint64_t mark(std::uint64_t page, std::uint64_t stamp) { return page << 32 | (stamp & 0xffffffffU); }

}  // namespace

DriveServer::DriveServer(std::string_view page, const std::string& token, const Mechanism& mechanism,
                         const RunOptions& options, DriveLoop& drive)
    : page_(page),
      token_(token),
      mechanism_(mechanism),
      options_(options),
      scene_(scene_json(mechanism)),
      drive_(drive),
      look_(mechanism, options),
      row_(look_.columns().size()) {}

DriveServer::~DriveServer() { stop(); }

void DriveServer::stop() {
  end_ = true;
  if (thread_.joinable()) thread_.join();
  const std::lock_guard lock(pages_mutex_);
  pages_.clear();
}

HttpReply DriveServer::answer(const std::string& target) const {
  std::string_view path = target;
  if (!remove_token(path, token_))
    return text_reply(
        403,
        "This address lacks the secret that `cardan drive` printed: open the whole address, with all that "
        "follows the port.");
  path = path.substr(0, path.find('?'));
  if (path == "/" || path == "/index.html") return {200, "text/html; charset=utf-8", std::string(page_), {}};
  if (path == "/api/drive") return {200, "application/json", description(), {}};
  if (path == "/api/drive/scene") return {200, "application/json", scene_, {}};
  return text_reply(404, "There is nothing here.");
}

std::string DriveServer::description() const {
  Json inputs = Json::array();
  for (const Input& input : mechanism_.inputs) {
    if (!input.is_given()) continue;
    inputs.push_back({{"name", input.name},
                      {"start", input.start},
                      {"min", or_null(input.min)},
                      {"max", or_null(input.max)},
                      {"unit", input.unit},
                      {"lag", input.lag}});
  }
  Json outputs = Json::array();
  for (const std::string& wish : mechanism_.outputs)
    for (const std::string& column : columns_like(look_.columns(), wish)) outputs.push_back(column);
  return Json{{"model", mechanism_.name},
              {"step", options_.step},
              {"formulation", look_.summary().formulation_used},
              {"integrator", look_.summary().integrator_used},
              {"places", DriveLoop::kPlaces},
              {"inputs", inputs},
              {"columns", look_.columns()},
              {"outputs", outputs}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

SocketHandler DriveServer::sockets() {
  SocketHandler handler;
  handler.admits = [this](const std::string& target) {
    std::string_view path = target;
    return remove_token(path, token_) && path == "/api/drive/socket";
  };
  handler.opened = [this](const std::shared_ptr<WebSocket>& socket) {
    const std::lock_guard lock(pages_mutex_);
    pages_.push_back({socket});
    fresh_ = true;
  };
  handler.closed = [this](WebSocket& socket) {
    const std::lock_guard lock(pages_mutex_);
    std::erase_if(pages_, [&](const Page& page) { return page.socket->id() == socket.id(); });
  };
  handler.received = [this](WebSocket& socket, std::string_view text) { receive(socket, text); };
  return handler;
}

void DriveServer::receive(WebSocket& socket, std::string_view text) {
  const std::string wrong = obey(socket, text);
  if (wrong.empty()) return;
  const std::lock_guard lock(pages_mutex_);
  for (Page& page : pages_) {
    if (page.socket->id() == socket.id() && page.mistakes++ < kMostMistakes)
      socket.send(Json{{"error", wrong}}.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
}

std::string DriveServer::obey(WebSocket& socket, std::string_view text) {
  const Json message = Json::parse(text, nullptr, false);
  if (!message.is_object()) return "this is no JSON object";
  if (const auto inputs = message.find("inputs"); inputs != message.end()) {
    if (!inputs->is_object()) return "inputs is no object of names and values";
    const auto stamp = message.find("stamp");
    const bool stamped = stamp != message.end() && stamp->is_number_unsigned();
    const std::uint64_t felt = stamped ? mark(socket.id(), stamp->get<std::uint64_t>()) : 0;
    const std::vector<std::string>& names = drive_.input_names();
    std::vector<InputBox::Change> changes;
    for (const auto& [name, value] : inputs->items()) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end()) return "there is no input '" + name + "'";
      if (!value.is_number() || !std::isfinite(value.get<double>())) return "input '" + name + "' is no number";
      changes.push_back({static_cast<std::size_t>(found - names.begin()), value.get<double>()});
    }
    drive_.inputs().set(changes, felt);
    return {};
  }
  const auto word = message.find("command");
  if (word == message.end() || !word->is_string()) return "neither inputs nor a command";
  using Kind = DriveCommand::Kind;
  struct Named {
    const char* name;
    Kind kind;
    bool number;
  };
  static constexpr Named kCommands[] = {{"pause", Kind::pause, false}, {"go_on", Kind::go_on, false},
                                        {"reset", Kind::reset, false}, {"single_step", Kind::single_step, false},
                                        {"end", Kind::end, false},     {"scale", Kind::scale, true},
                                        {"save", Kind::save, true},    {"go_back", Kind::go_back, true}};
  for (const Named& command : kCommands) {
    if (*word != command.name) continue;
    const auto number = message.find("number");
    const bool given = number != message.end() && number->is_number();
    if (command.number && !given) return std::string(command.name) + " needs a number";
    const double value = given ? number->get<double>() : 0;
    return drive_.commands().put({command.kind, value}) ? "" : "commands come faster than steps";
  }
  return "there is no such command";
}

void DriveServer::start() {
  thread_ = std::thread([this] { look(); });
}

void DriveServer::look() {
  constexpr auto kPause = std::chrono::milliseconds(1), kIdle = std::chrono::milliseconds(20),
                 kTell = std::chrono::milliseconds(500);
  auto told = std::chrono::steady_clock::now();
  while (!end_) {
    const bool alone = nobody();
    std::this_thread::sleep_for(alone ? kIdle : kPause);
    if (alone) continue;
    // A page that has just come sees where things stand, also when nothing moves.
    const bool fresh = fresh_.exchange(false);
    if (fresh) told_ = DriveMode::runs;
    if (drive_.frames().take() || fresh) send_frame(drive_.frames().value());
    const auto now = std::chrono::steady_clock::now();
    if (now - told < kTell) continue;
    told = now;
    send_to_all(statistics());
  }
}

bool DriveServer::nobody() const {
  const std::lock_guard lock(pages_mutex_);
  return pages_.empty();
}

void DriveServer::send_frame(const DriveFrame& frame) {
  try {
    look_.restore(std::span(frame.record.data(), frame.size));
  } catch (const std::invalid_argument&) {
    return;
  }
  look_.sample(row_.data());
  FrameHead head;
  head.mode = static_cast<std::uint32_t>(frame.mode);
  head.step = static_cast<std::uint64_t>(frame.step);
  head.time = frame.time;
  head.scale = frame.scale;
  head.count = static_cast<std::uint32_t>(row_.size());
  {
    const std::lock_guard lock(pages_mutex_);
    for (Page& page : pages_) {
      if (frame.stamp >> 32 == page.socket->id()) page.stamp = frame.stamp & 0xffffffffU;
      head.stamp = page.stamp;
      const auto bytes = std::make_shared<std::string>(sizeof head + row_.size() * sizeof(double), '\0');
      std::memcpy(bytes->data(), &head, sizeof head);
      std::memcpy(bytes->data() + sizeof head, row_.data(), row_.size() * sizeof(double));
      page.socket->send_newest(bytes);
    }
  }
  const bool over = frame.mode == DriveMode::failed || frame.mode == DriveMode::done;
  if (over && told_ != frame.mode) {
    const std::string reason = frame.mode == DriveMode::failed ? drive_.reason() : "the drive has come to its end";
    send_to_all(Json{{"message", reason}}.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  told_ = frame.mode;
}

std::string DriveServer::statistics() const {
  const DriveStatistics& s = drive_.statistics();
  return Json{{"statistics",
               {{"steps", s.steps.load()},
                {"overruns", s.late.count()},
                {"given_up", 1e-9 * static_cast<double>(s.given_up.load())},
                {"step", quantiles_json(s.step)},
                {"wall", quantiles_json(s.wall)},
                {"wake", quantiles_json(s.wake)}}}}
      .dump();
}

void DriveServer::send_to_all(const std::string& text) {
  const std::lock_guard lock(pages_mutex_);
  for (const Page& page : pages_) page.socket->send(text);
}

}  // namespace cardan
