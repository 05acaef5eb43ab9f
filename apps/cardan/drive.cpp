// `cardan drive MODEL`: in real time, with a person in the browser or another process at the inputs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "cardan/io.hpp"
#include "cardan/scene.hpp"
#include "cardan/wire.h"
#include "command_options.hpp"
#include "commands.hpp"
#include "drive/drive_loop.hpp"
#include "drive_server.hpp"
#include "io/report.hpp"
#include "io/result_folder.hpp"
#include "io/viewer_page.hpp"
#include "mechanism/asked_options.hpp"
#include "output.hpp"
#include "page_address.hpp"
#include "temporary_folder.hpp"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

Overrun overrun_named(const std::string& name) {
  if (name == "slow_down") return Overrun::slow_down;
  return name == "stop" ? Overrun::stop : Overrun::catch_up;
}

/// "[ADDRESS:]PORT"
std::unique_ptr<UdpWire> udp_wire(const DriveRequest& request, std::size_t inputs) {
  const std::size_t colon = request.udp.rfind(':');
  const std::string address = colon == std::string::npos ? "127.0.0.1" : request.udp.substr(0, colon);
  const std::string number = colon == std::string::npos ? request.udp : request.udp.substr(colon + 1);
  int port = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), port);
  if (error != std::errc() || end != number.data() + number.size() || port < 0 || port > 65535)
    throw std::invalid_argument(fmt::format("--udp takes a port, 0 to 65535, or ADDRESS:PORT, not '{}'", request.udp));
  return make_udp_wire(address, port, request.udp_to, static_cast<int>(inputs));
}

std::unique_ptr<Wire> wire_asked_for(const DriveRequest& request, const Mechanism& mechanism) {
  if (request.udp.empty() && request.shared_memory.empty()) return nullptr;
  if (!request.udp.empty() && !request.shared_memory.empty())
    throw std::invalid_argument("--udp and --shared-memory are two ways to the same inputs: give one");
  if (mechanism.outputs.empty())
    throw std::invalid_argument(
        "the model names no `outputs:`: list there what another process is to receive, such as outputs: [crank.q]");
  std::size_t inputs = 0;
  for (const Input& input : mechanism.inputs) inputs += input.is_given() ? 1 : 0;
  if (inputs > CARDAN_WIRE_MOST)
    throw std::invalid_argument(
        fmt::format("the model has {} inputs; a frame holds {} at most", inputs, CARDAN_WIRE_MOST));
  if (request.udp.empty()) return make_shared_memory_wire(request.shared_memory);
  std::unique_ptr<UdpWire> wire = udp_wire(request, inputs);
  print(fmt::format("udp port {}\n", wire->port()));
  return wire;
}

std::string microseconds(double seconds) { return fmt::format("{:.3g}", 1e6 * seconds); }

std::string quantiles(const TimeHistogram& times) {
  return fmt::format("p50 {}, p99 {}, p99.9 {}, largest {} us", microseconds(times.quantile(0.5)),
                     microseconds(times.quantile(0.99)), microseconds(times.quantile(0.999)),
                     microseconds(times.largest()));
}

Json json_of(const TimeHistogram& times) {
  Json classes = Json::array();
  for (const TimeHistogram::Class& one : times.classes()) classes.push_back({one.from, one.to, one.count});
  return {{"count", times.count()},         {"p50", times.quantile(0.5)}, {"p99", times.quantile(0.99)},
          {"p99_9", times.quantile(0.999)}, {"max", times.largest()},     {"classes", classes}};
}

Json json_of(const WireCounts& counts, const TimeHistogram& latency) {
  return {{"applied", counts.applied},     {"lost", counts.lost},
          {"late", counts.late},           {"duplicates", counts.duplicates},
          {"malformed", counts.malformed}, {"sessions", counts.sessions},
          {"sent", counts.sent},           {"not_sent", counts.not_sent},
          {"latency", json_of(latency)}};
}

Json json_of(const HttpCounts& counts) {
  return {{"connections", counts.connections}, {"turned_away", counts.turned_away}, {"refused", counts.refused},
          {"sockets", counts.sockets},         {"cut_off", counts.cut_off},         {"frames", counts.frames},
          {"left_out", counts.left_out}};
}

/// What a drive leaves behind besides its motion.
struct DriveRecord {
  double seconds = 0;  // of the clock
  const Wire* wire = nullptr;
  std::optional<HttpCounts> page;
};

/// The summary of a run with what the clock saw.
Json summary_of(const DriveLoop& drive, const DriveSettings& settings, const DriveRecord& record) {
  const DriveStatistics& s = drive.statistics();
  Json summary = Json::parse(drive.summary().json());
  Json told{{"seconds", record.seconds},
            {"scale", std::isfinite(settings.scale) ? Json(settings.scale) : Json(nullptr)},
            {"steps", s.steps.load()},
            {"overruns", s.late.count()},
            {"fell_behind", s.fell_behind.load()},
            {"given_up", 1e-9 * static_cast<double>(s.given_up.load())},
            {"stopped_late", drive.stopped_late()},
            {"allocations", s.allocations.load()},
            {"locks", s.locks.load()},
            {"page_faults", s.page_faults.load()},
            {"preemptions", s.preemptions.load()},
            {"step", json_of(s.step)},
            {"wall", json_of(s.wall)},
            {"wake", json_of(s.wake)},
            {"late", json_of(s.late)},
            {"refused", drive.refused()}};
  if (record.wire) told["wire"] = json_of(record.wire->counts(), record.wire->latency());
  if (record.page) told["page"] = json_of(*record.page);
  summary["drive"] = std::move(told);
  return summary;
}

std::string first_line(const DriveLoop& drive, double seconds) {
  const RunSummary& summary = drive.summary();
  const DriveStatistics& s = drive.statistics();
  const std::string way = fmt::format("{:.6g} s in {:.4g} s of the clock", summary.duration, seconds);
  if (s.late.count() == 0) return fmt::format("{}: {}, {} steps, all in time\n", summary.model, way, s.steps.load());
  return fmt::format(
      "{}: DEADLINES MISSED: {} of {} steps, in {} stretches, by {:.3g} ms at most; {:.3g} s given up; {}\n",
      summary.model, s.late.count(), s.steps.load(), s.fell_behind.load(), 1e3 * s.late.largest(),
      1e-9 * static_cast<double>(s.given_up.load()), way);
}

std::string count_text(std::int64_t number) { return number < 0 ? "uncounted" : std::to_string(number); }

/// The command that repeats it, with all that the motion depends on. The end is that of the recording, unless the model
/// has one of its own.
std::string again(double duration, const std::string& recording, const Mechanism& mechanism,
                  const DriveRequest& request) {
  std::string text = fmt::format("cardan run {} --input {}", shell_word(request.model), shell_word(recording));
  for (const std::string& parameter : request.parameters) text += " --set " + shell_word(parameter);
  SimulationDefaults options = request.options;
  options.until.reset();
  if (mechanism.simulation.until) options.until = duration;
  return text + as_given(options);
}

std::string readable(const DriveLoop& drive, const DriveRecord& record, const std::string& recording,
                     const Mechanism& mechanism, const DriveRequest& request) {
  std::string text = first_line(drive, record.seconds);
  const auto line = [&text](const char* label, const std::string& value) {
    text += fmt::format("  {:<22}{}\n", label, value);
  };
  const DriveStatistics& s = drive.statistics();
  line("processor time a step", quantiles(s.step));
  line("by the clock", quantiles(s.wall));
  if (s.wake.count() > 0) line("woke up late by", quantiles(s.wake));
  line("stepping thread",
       fmt::format("{} heap allocations, {} locks, {} page faults; interrupted {} times", count_text(s.allocations),
                   count_text(s.locks), s.page_faults.load(), s.preemptions.load()));
  if (record.wire) {
    const WireCounts c = record.wire->counts();
    line("frames of inputs", fmt::format("{} applied, {} lost, {} late, {} twice, {} malformed", c.applied, c.lost,
                                         c.late, c.duplicates, c.malformed));
    line("frames of outputs", fmt::format("{} sent, {} not taken by the system", c.sent, c.not_sent));
    line("input to output", quantiles(record.wire->latency()));
  }
  if (record.page) {
    const HttpCounts& c = *record.page;
    line("page", fmt::format("{} frames sent, {} left out for slow readers; {} sockets, {} cut off; {} connections, "
                             "{} turned away; {} requests refused",
                             c.frames, c.left_out, c.sockets, c.cut_off, c.connections, c.turned_away, c.refused));
  }
  line("recorded", recording);
  line("the same again", again(drive.summary().duration, recording, mechanism, request));
  if (!drive.refused().empty()) text += fmt::format("warning: no real time: {}\n", drive.refused());
  for (const std::string& warning : drive.summary().warnings) text += fmt::format("warning: {}\n", warning);
  return text;
}

ReportSeries histogram(const char* name, const TimeHistogram& times) {
  ReportSeries series;
  series.name = name;
  series.points = true;
  for (const TimeHistogram::Class& one : times.classes()) {
    series.x.push_back(1e6 * one.from);
    series.y.push_back(static_cast<double>(one.count));
  }
  return series;
}

ReportPlot histogram_plot(const char* title, const char* label, std::vector<ReportSeries> series) {
  return {title, label, "how often", true, true, std::move(series), {}};
}

void report(const DriveRequest& request, const Mechanism& mechanism, const DriveLoop& drive, const Json& summary,
            double seconds) {
  ReportData data;
  data.title = mechanism.name + ", driven";
  data.text = first_line(drive, seconds);
  data.command = request.command_line;
  data.models = model_texts(mechanism);
  data.summary = summary.dump();
  const DriveStatistics& s = drive.statistics();
  data.plots.push_back(histogram_plot("Time of a step", "us",
                                      {histogram("of the processor", s.step), histogram("by the clock", s.wall)}));
  data.plots.push_back(histogram_plot("From due to begun", "us", {histogram("", s.wake)}));
  if (s.late.count() > 0)
    data.plots.push_back(histogram_plot("Steps that were late", "us late", {histogram("", s.late)}));
  write_report(request.report, data);
}

/// The page, until the drive ends; the drive goes on in a thread of its own.
HttpCounts drive_with_page(const DriveRequest& request, DriveLoop& drive, const Mechanism& mechanism,
                           const RunOptions& options, const TemporaryFolder* temporary, std::atomic<bool>& stop) {
  const std::string token = request.token.empty() ? make_token() : request.token;
  DriveServer server(viewer_page(), token, mechanism, options, drive);
  HttpServer http(
      static_cast<std::uint16_t>(request.port), [&server](const std::string& target) { return server.answer(target); },
      server.sockets(), request.listen);
  const bool bracketed = request.listen.find(':') != std::string::npos;
  const std::string host = bracketed ? fmt::format("[{}]", request.listen) : request.listen;
  const std::string address = fmt::format("http://{}:{}/{}/", host, http.port(), token);
  print(fmt::format("{}  (Ctrl-C ends)\n", address));
  if (temporary) open_browser(address, temporary->path());
  std::thread stepping([&] {
    drive.run(stop);
    http.stop();
  });
  server.start();
  http.serve(request.seconds);
  stop = true;
  stepping.join();
  server.stop();
  return http.counts();
}

void check_request(const DriveRequest& request) {
  if (request.port < 0 || request.port > 65535)
    throw std::invalid_argument(fmt::format("--port takes a number from 0 to 65535, not {}", request.port));
  if (!request.no_page && viewer_page().empty())
    throw std::invalid_argument(fmt::format("the viewer is not in this program: {}", viewer_page_missing()));
  const bool away = request.listen != "127.0.0.1";
  if (away && request.token.size() < 16)
    throw std::invalid_argument(
        "--listen on another address than 127.0.0.1 lets other machines drive: give --token with a secret of at least "
        "16 characters");
  const bool plain = std::all_of(request.token.begin(), request.token.end(),
                                 [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
  if (!plain) throw std::invalid_argument("--token takes letters, digits, - and _");
}

/// Until Ctrl-C, or the time that was given.
void drive_without_page(const DriveRequest& request, DriveLoop& drive, std::atomic<bool>& stop) {
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<bool> over = false;
  std::thread watch([&] {
    while (!over) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
      if (*request.stop || (request.seconds > 0 && passed.count() > request.seconds)) stop = true;
    }
  });
  drive.run(stop);
  over = true;
  watch.join();
}

}  // namespace

int drive_model(const DriveRequest& request) {
  check_request(request);
  // Another process watches over it. Made first: what the loop writes to is not shared with that one.
  std::optional<TemporaryFolder> temporary;
  if (!request.no_page && !request.no_browser) temporary.emplace();
  std::vector<std::string> files;
  const Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters), &files);
  RunOptions options = asked_options(mechanism, request.options);
  if (request.options.error)
    throw std::invalid_argument("a drive takes constant steps, whose error nothing holds: leave --error out");
  options.error.reset();
  DriveSettings settings;
  settings.scale = request.unpaced ? std::numeric_limits<double>::infinity() : request.scale;
  if (request.options.until) settings.until = *request.options.until;
  settings.overrun = overrun_named(request.overrun);
  settings.most_behind = request.behind;
  settings.real_time = request.real_time;
  settings.processor = request.processor;
  settings.paused = request.paused;
  settings.stays = !request.no_page;
  if (!request.report.empty()) prepare_report(request.report, files);
  const ResultFolder folder(output_folder(request.out, mechanism.name + "-drive"));
  if (!request.overwrite) refuse_results_of_others(folder.path(), mechanism.name);
  refuse_to_replace(files, {folder / "drive.csv", folder / "summary.json", folder / "scene.json"});
  const std::unique_ptr<Wire> wire = wire_asked_for(request, mechanism);
  const std::string recording = (folder / "drive.csv").string();
  DriveLoop drive(mechanism, options, settings, recording, wire.get());
  std::filesystem::remove(folder / "summary.json");
  write_file(folder / "scene.json", scene_json(mechanism));

  const auto begin = std::chrono::steady_clock::now();
  std::atomic<bool> stop = false;
  DriveRecord record{0, wire.get(), {}};
  if (request.no_page) {
    drive_without_page(request, drive, stop);
  } else {
    record.page = drive_with_page(request, drive, mechanism, options, temporary ? &*temporary : nullptr, stop);
  }
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::string trouble = drive.finish_recording();
  const Json summary = summary_of(drive, settings, record);
  write_file(folder / "summary.json", summary.dump(2));
  if (request.json) {
    print(summary.dump(2) + "\n");
  } else {
    print_marked(readable(drive, record, recording, mechanism, request));
  }
  if (!request.report.empty()) report(request, mechanism, drive, summary, record.seconds);
  if (!trouble.empty()) complain(fmt::format("the recording is not complete: {}", trouble));
  const bool failed = drive.summary().status == RunStatus::failed;
  if (failed) complain("the simulation failed: " + drive.summary().reason);
  if (drive.stopped_late()) complain("a step was not done in time, and --overrun stop ends the drive there");
  return failed || !trouble.empty() || drive.stopped_late() ? exit_failed : exit_done;
}

}  // namespace cardan
