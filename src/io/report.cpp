#include "io/report.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "io/trajectory_file.hpp"
#include "io/viewer_page.hpp"
#include "io/whole_file.hpp"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kPlaceOfData = "<!--cardan-data-->";
constexpr std::size_t kRows = 2000;
constexpr std::size_t kCurvePoints = 3000;

template <typename T>
std::string base64(std::span<const T> values) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  const std::size_t size = values.size_bytes();
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t n = std::min<std::size_t>(3, size - i);
    std::uint32_t group = std::uint32_t{bytes[i]} << 16;
    if (n > 1) group |= std::uint32_t{bytes[i + 1]} << 8;
    if (n > 2) group |= bytes[i + 2];
    for (std::size_t k = 0; k < 4; ++k) text += k <= n ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

/// The lowest and the highest of each stretch of a long curve, in their order.
ReportSeries thinned(const ReportSeries& series) {
  const std::size_t size = std::min(series.x.size(), series.y.size());
  ReportSeries result{series.name, {}, {}, series.points, series.group, series.line};
  const std::size_t stretches = size > kCurvePoints ? kCurvePoints / 2 : size;
  for (std::size_t i = 0; i < stretches; ++i) {
    const std::size_t begin = i * size / stretches, end = (i + 1) * size / stretches;
    std::size_t low = begin, high = begin;
    for (std::size_t k = begin; k < end; ++k) {
      if (series.y[k] < series.y[low]) low = k;
      if (series.y[k] > series.y[high]) high = k;
    }
    for (const std::size_t k : {std::min(low, high), std::max(low, high)}) {
      result.x.push_back(series.x[k]);
      result.y.push_back(series.y[k]);
      if (low == high) break;
    }
  }
  return result;
}

Json plot_json(const ReportPlot& plot) {
  Json json{{"title", plot.title}, {"x_label", plot.x_label}, {"y_label", plot.y_label},
            {"x_log", plot.x_log}, {"y_log", plot.y_log},     {"note", plot.note}};
  Json& list = json["series"] = Json::array();
  for (const ReportSeries& whole : plot.series) {
    const ReportSeries series = thinned(whole);
    list.push_back({{"name", series.name},
                    {"x", base64(std::span<const double>(series.x))},
                    {"y", base64(std::span<const double>(series.y))},
                    {"points", series.points},
                    {"line", series.line},
                    {"group", series.group}});
  }
  return json;
}

Json parallel_json(const ReportParallel& parallel) {
  Json list = Json::array();
  for (const ReportParallel::Column& column : parallel.columns)
    list.push_back({{"name", column.name},
                    {"values", base64(std::span<const double>(column.values))},
                    {"words", column.words},
                    {"log", column.log}});
  return list;
}

Json parsed(const std::string& text, const char* what) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw std::runtime_error(std::string(what) + " is no valid JSON");
  return json;
}

Json run_json(const ReportRun& run) {
  Json json;
  json["name"] = run.name;
  json["scene"] = parsed(run.scene, "the scene of a report");
  if (!run.summary.empty()) json["summary"] = parsed(run.summary, "the summary of a report's run");
  if (!run.modes.empty()) json["modes"] = parsed(run.modes, "the modes of a report");
  json["columns"] = run.columns;
  const std::size_t rows = run.samples.empty() ? 0 : run.samples[0].size();
  json["rows"] = rows;
  json["rows_of"] = std::max(rows, run.rows_of);
  // Times keep their digits; for pictures and plots of the rest seven will do.
  json["t"] = run.samples.empty() ? "" : base64(std::span<const double>(run.samples[0]));
  std::vector<float> values;
  for (std::size_t c = 1; c < run.samples.size(); ++c) {
    if (run.samples[c].size() != rows) throw std::runtime_error("the columns of a report's run differ in length");
    std::transform(run.samples[c].begin(), run.samples[c].end(), std::back_inserter(values),
                   [](double value) { return static_cast<float>(value); });
  }
  json["data"] = base64(std::span<const float>(values));
  return json;
}

std::string contents_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// 0 for what the picture needs, then by how likely somebody wants to see it.
int rank_of(const std::string& column, bool planar) {
  const std::string suffix = column.substr(column.rfind('.') + 1);
  const auto is = [&suffix](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), suffix) != names.end();
  };
  if (column == "t") return 0;
  if (planar ? is({"x", "y", "angle"}) : is({"x", "y", "z", "qw", "qx", "qy", "qz"})) return 0;
  if (is({"vx", "vy", "vz", "w", "wx", "wy", "wz"})) return 4;
  if (is({"mx", "my", "mz"})) return 5;
  if (is({"fx", "fy", "fz"})) return 2;
  if (suffix[0] == 'q') return 1;
  return suffix[0] == 'v' ? 4 : 3;
}

}  // namespace

ReportRun read_report_run(const std::string& name, const std::filesystem::path& folder, std::size_t numbers) {
  ReportRun run;
  run.name = name;
  run.scene = contents_of(folder / "scene.json");
  const Json scene = parsed(run.scene, (folder / "scene.json").c_str());
  run.summary = contents_of(folder / "summary.json");
  if (!Json::accept(run.summary)) run.summary.clear();

  const TrajectoryFile trajectory(folder / "trajectory.csv");
  trajectory.wait();
  const TrajectoryFile::Status status = trajectory.status();
  if (status.rows == 0) throw std::runtime_error((folder / "trajectory.csv").string() + " has no samples");
  const bool planar = scene.value("planar", false);
  std::vector<std::size_t> order(status.columns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::set<std::string> asked;
  for (const Json& plot : scene.value("plots", Json::array()))
    for (const Json& column : plot.value("columns", Json::array())) asked.insert(column.get<std::string>());
  const auto rank = [&](std::size_t c) {
    return asked.contains(status.columns[c]) ? 0 : rank_of(status.columns[c], planar);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  const std::size_t poses =
      static_cast<std::size_t>(std::count_if(order.begin(), order.end(), [&](std::size_t c) { return rank(c) == 0; }));
  const std::size_t wanted = std::min(status.rows, kRows);
  order.resize(std::min(order.size(), std::max(poses, numbers / wanted)));
  std::sort(order.begin(), order.end());
  const std::size_t rows = std::min(wanted, std::max<std::size_t>(2, numbers / order.size()));
  run.samples = trajectory.sample(0, status.rows, rows, order).columns;
  for (const std::size_t column : order) run.columns.push_back(status.columns[column]);
  run.rows_of = status.rows;
  return run;
}

std::vector<ReportModel> model_texts(const Mechanism& mechanism) {
  std::vector<std::string> files{mechanism.file};
  const auto see = [&files](const auto& elements) {
    for (const auto& element : elements) {
      const std::string& file = element.where.file;
      if (!file.empty() && std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    }
  };
  see(mechanism.bodies), see(mechanism.markers), see(mechanism.joints), see(mechanism.couplers);
  see(mechanism.springs), see(mechanism.joint_springs), see(mechanism.bushings), see(mechanism.rotors);
  see(mechanism.custom_wrenches), see(mechanism.sensors);
  see(mechanism.forces), see(mechanism.torques), see(mechanism.actuators), see(mechanism.roads), see(mechanism.tyres);
  see(mechanism.contacts);
  see(mechanism.drivers), see(mechanism.knife_edges), see(mechanism.rolling_discs), see(mechanism.events);
  std::vector<ReportModel> models;
  for (const std::string& file : files) {
    if (std::string text = contents_of(file); !text.empty()) models.push_back({file, std::move(text)});
  }
  return models;
}

void write_report(const std::filesystem::path& file, const ReportData& data) {
  const std::string_view page = viewer_page();
  const std::size_t place = page.find(kPlaceOfData);
  if (place == std::string_view::npos) {
    throw std::runtime_error("a report needs the viewer, which is not in this program: " +
                             std::string(viewer_page_missing()));
  }
  Json json{{"cardan_report", 1}, {"title", data.title}, {"text", data.text}, {"command", data.command}};
  if (!data.summary.empty()) json["summary"] = parsed(data.summary, "the summary of a report");
  Json& models = json["models"] = Json::array();
  for (const ReportModel& model : data.models) models.push_back({{"name", model.name}, {"text", model.text}});
  Json& tables = json["tables"] = Json::array();
  for (const ReportTable& table : data.tables) {
    tables.push_back({{"title", table.title},
                      {"headers", table.headers},
                      {"rows", table.rows},
                      {"note", table.note},
                      {"text", table.text}});
    if (!table.links.empty()) tables.back()["links"] = table.links;
  }
  if (!data.parallel.columns.empty()) json["parallel"] = parallel_json(data.parallel);
  Json& plots = json["plots"] = Json::array();
  for (const ReportPlot& plot : data.plots) plots.push_back(plot_json(plot));
  Json& runs = json["runs"] = Json::array();
  for (const ReportRun& run : data.runs) runs.push_back(run_json(run));

  std::string text(page.substr(0, place));
  text += R"(<script type="application/json" id="cardan-data">)";
  // Nothing in the data can end the element it is in.
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  text += "</script>";
  text += page.substr(place + kPlaceOfData.size());
  write_whole(file, text);
}

}  // namespace cardan
