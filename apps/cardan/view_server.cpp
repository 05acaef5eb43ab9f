#include "view_server.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "page_address.hpp"

namespace cardan {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kNumbersAtMost = 32U << 20;  // in one reply: 256 MB
constexpr auto kQuiet = std::chrono::seconds(5);   // a file that did not grow for so long is not being written

HttpReply json_reply(const Json& json) {
  return {200, "application/json", json.dump(-1, ' ', false, Json::error_handler_t::replace), {}};
}

/// %41 to A; nothing when a percent sign is followed by anything but two hex digits, or for a zero byte.
std::optional<std::string> decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    unsigned value = 0;
    if (i + 2 >= text.size()) return std::nullopt;
    const auto [rest, error] = std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16);
    if (error != std::errc() || rest != text.data() + i + 3 || value == 0) return std::nullopt;
    result += static_cast<char>(value);
    i += 2;
  }
  return result;
}

template <typename T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::map<std::string, std::string, std::less<>> query_of(std::string_view text) {
  std::map<std::string, std::string, std::less<>> query;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos) query.emplace(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return query;
}

/// "0,4-7": columns by number.
std::optional<std::vector<std::size_t>> column_list(std::string_view text, std::size_t width) {
  std::vector<std::size_t> columns;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const std::size_t dash = part.find('-');
    const auto first = number<std::size_t>(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number<std::size_t>(part.substr(dash + 1));
    if (!first || !last || *first > *last || *last >= width) return std::nullopt;
    for (std::size_t c = *first; c <= *last && columns.size() <= 4 * width; ++c) columns.push_back(c);
  }
  return columns;
}

/// Little-endian: two 32-bit counts (values per array, arrays), then the arrays of 64-bit numbers.
HttpReply arrays(const std::vector<const std::vector<double>*>& list) {
  static_assert(std::endian::native == std::endian::little);
  const std::uint32_t head[2] = {static_cast<std::uint32_t>(list.empty() ? 0 : list[0]->size()),
                                 static_cast<std::uint32_t>(list.size())};
  HttpReply reply{200, "application/octet-stream", {}, {}};
  reply.body.reserve(sizeof head + std::size_t{head[0]} * head[1] * sizeof(double));
  reply.body.append(reinterpret_cast<const char*>(head), sizeof head);
  for (const std::vector<double>* values : list) {
    reply.body.append(reinterpret_cast<const char*>(values->data()), values->size() * sizeof(double));
  }
  return reply;
}

const char* type_of(const fs::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".json") return "application/json";
  if (extension == ".csv") return "text/csv; charset=utf-8";
  return "application/octet-stream";  // never a page: nothing in a result folder is run as a script
}

/// A regular file inside the folder, symbolic links followed.
HttpReply file_reply(const fs::path& folder, std::string_view encoded) {
  const std::optional<std::string> name = decoded(encoded);
  if (!name || name->empty()) return text_reply(400, "This is no name of a file.");
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error) return text_reply(404, "The result folder is gone.");
  const fs::path relative(*name);
  const bool climbs = relative.is_absolute() || std::find(relative.begin(), relative.end(), "..") != relative.end();
  if (climbs) return text_reply(403, "Only files of the result folder are served.");
  const fs::path file = fs::canonical(root / relative, error);
  if (error) return text_reply(404, "There is no such file in the result folder.");
  if (std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first != root.end()) {
    return text_reply(403, "Only files of the result folder are served.");
  }
  if (!fs::is_regular_file(file, error)) return text_reply(404, "This is no file.");
  return {200, type_of(file), {}, file};
}

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

void ViewServer::add_run(const std::string& name, const fs::path& folder) {
  std::string unique = name;  // the page tells runs apart by their names
  const auto taken = [&] {
    return std::any_of(runs_.begin(), runs_.end(), [&](const auto& run) { return run->name == unique; });
  };
  for (int i = 2; taken(); ++i) unique = name + " (" + std::to_string(i) + ")";
  runs_.push_back(std::make_unique<Run>(unique, folder));
}

HttpReply ViewServer::list() const {
  Json runs = Json::array();
  for (const auto& run : runs_) runs.push_back({{"name", run->name}, {"folder", run->folder.string()}});
  return json_reply({{"runs", runs}});
}

HttpReply ViewServer::columns(const Run& run) { return json_reply({{"columns", run.trajectory.status().columns}}); }

HttpReply ViewServer::status(const Run& run) {
  const TrajectoryFile::Status status = run.trajectory.status();
  // A run takes the summary of an earlier one away and writes its own last. A copy of a result may have any times: only
  // a trajectory that was written just now and is newer than the summary is of a run that goes on.
  std::error_code no_summary, no_trajectory;
  const fs::file_time_type summary = fs::last_write_time(run.folder / "summary.json", no_summary);
  const fs::file_time_type trajectory = fs::last_write_time(run.folder / "trajectory.csv", no_trajectory);
  const bool quiet = !no_trajectory && fs::file_time_type::clock::now() - trajectory > kQuiet;
  const bool finished = !no_summary && !no_trajectory && (summary >= trajectory || quiet);
  Json json;
  json["generation"] = status.generation;
  json["exists"] = status.exists;
  json["state"] = finished ? "finished" : quiet ? "abandoned" : no_trajectory ? "missing" : "running";
  json["width"] = status.columns.size();
  json["rows"] = status.rows;
  json["summarized"] = status.summarized;
  json["caught_up"] = status.caught_up;
  json["unfinished_line"] = status.unfinished_line;
  json["bad_rows"] = status.bad_rows;
  json["first_bad"] = status.first_bad;
  json["first_time"] = finite(status.first_time);
  json["last_time"] = finite(status.last_time);
  return json_reply(json);
}

HttpReply ViewServer::answer(const std::string& target) const {
  std::string_view path = target;
  if (remove_token(path, token_)) return answer_trusted(path);
  return text_reply(403,
                    "This address lacks the secret that `cardan view` printed: open the whole address, with all that "
                    "follows the port.");
}

HttpReply ViewServer::answer_trusted(std::string_view path) const {
  const std::size_t mark = path.find('?');
  const auto query = query_of(mark == std::string_view::npos ? "" : path.substr(mark + 1));
  path = path.substr(0, mark);
  if (path == "/" || path == "/index.html") return {200, "text/html; charset=utf-8", std::string(page_), {}};
  if (path == "/api/runs") return list();
  if (path == "/api/drive") return {200, "application/json", "null", {}};  // nobody drives here
  constexpr std::string_view kRuns = "/api/runs/";
  if (!path.starts_with(kRuns)) return text_reply(404, "There is nothing here.");
  path.remove_prefix(kRuns.size());
  const auto index = number<std::size_t>(path.substr(0, path.find('/')));
  if (!index || *index >= runs_.size()) return text_reply(404, "There is no such run.");
  const Run& run = *runs_[*index];
  path.remove_prefix(std::min(path.size(), path.find('/')));
  if (path.starts_with("/files/")) return file_reply(run.folder, path.substr(7));
  if (path == "/status") return status(run);
  if (path == "/columns") return columns(run);
  if (path != "/samples" && path != "/extremes") return text_reply(404, "There is nothing here.");

  const TrajectoryFile::Status now = run.trajectory.status();
  const auto given = [&query](std::string_view name) {
    const auto found = query.find(name);
    return found == query.end() ? std::string_view() : std::string_view(found->second);
  };
  std::vector<std::size_t> columns;
  if (query.contains("columns")) {
    const auto list = column_list(given("columns"), now.columns.size());
    if (!list) return text_reply(400, "columns= takes numbers of columns such as 0,4-7.");
    columns = *list;
  } else {
    for (std::size_t c = 0; c < now.columns.size(); ++c) columns.push_back(c);
  }
  std::size_t from = number<std::size_t>(given("from")).value_or(0);
  std::size_t to = std::min(now.rows, number<std::size_t>(given("to")).value_or(now.rows));
  if (const auto time = number<double>(given("from_time"))) from = run.trajectory.row_at(*time);
  if (const auto time = number<double>(given("to_time"))) to = std::min(now.rows, run.trajectory.row_at(*time) + 1);
  // One more row on either side, so that a curve reaches the edges of its window.
  if (query.contains("from_time") && from > 0) --from;
  from = std::min(from, to);
  const std::size_t count = number<std::size_t>(given("count")).value_or(1000);
  const bool extremes = path == "/extremes";
  if (std::min(count, to - from) * (columns.size() + 1) * (extremes ? 2 : 1) > kNumbersAtMost) {
    return text_reply(413, "This is too much for one reply; ask for fewer rows or columns.");
  }

  std::vector<const std::vector<double>*> list;
  if (!extremes) {
    const TrajectoryFile::Table table = run.trajectory.sample(from, to, count, columns);
    list.push_back(&table.rows);
    for (const auto& column : table.columns) list.push_back(&column);
    return arrays(list);
  }
  const TrajectoryFile::Extremes result = run.trajectory.extremes(from, to, count, columns);
  list.push_back(&result.time);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    list.push_back(&result.low[c]);
    list.push_back(&result.high[c]);
  }
  return arrays(list);
}

}  // namespace cardan
