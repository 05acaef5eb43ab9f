// `cardan view`: results in the browser, while they are being computed or later.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "commands.hpp"
#include "http_server.hpp"
#include "io/viewer_page.hpp"
#include "output.hpp"
#include "page_address.hpp"
#include "temporary_folder.hpp"
#include "view_server.hpp"

namespace cardan {
namespace {

namespace fs = std::filesystem;

bool holds_result(const fs::path& folder) {
  return fs::exists(folder / "trajectory.csv") || fs::exists(folder / "summary.json") ||
         fs::exists(folder / "scene.json");
}

std::string name_of(const fs::path& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

/// The folder itself, or the results one level below it.
std::vector<fs::path> result_folders(const fs::path& folder) {
  std::vector<fs::path> found;
  if (!holds_result(folder)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (entry.is_directory() && holds_result(entry.path())) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
  }
  if (found.empty()) found.push_back(folder);  // perhaps a run is about to start there; the page says what it waits for
  return found;
}

/// Runs of models go on in a thread of their own while the page shows them.
class BackgroundRuns {
 public:
  ~BackgroundRuns() {
    if (!stop()) thread_.detach();
  }
  void add(RunRequest request) {
    request.stop = &stop_;
    request.steps_file = "none";
    request.keep_state = false;
    requests_.push_back(std::move(request));
  }
  void start() {
    if (requests_.empty()) return;
    thread_ = std::thread([this] {
      for (std::size_t i = 0; i < requests_.size() && !stop_; ++i) {
        try {
          run_model(requests_[i]);
        } catch (const std::exception& error) {
          complain(fmt::format("{}: {}", requests_[i].model, error.what()));
        }
      }
      running_ = false;
    });
  }
  /// At the next step, whose results nobody looks at any more. False when that takes too long: a large mechanism may be
  /// a while in its assembly.
  bool stop() {
    stop_ = true;
    for (int i = 0; i < 100 && thread_.joinable() && running_; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (thread_.joinable() && running_) return false;
    if (thread_.joinable()) thread_.join();
    return true;
  }

 private:
  std::vector<RunRequest> requests_;
  std::atomic<bool> running_ = true, stop_ = false;
  std::thread thread_;
};

}  // namespace

int view_results(const ViewRequest& request) {
  if (viewer_page().empty()) {
    throw std::invalid_argument(fmt::format("the viewer is not in this program: {}", viewer_page_missing()));
  }
  if (request.port < 0 || request.port > 65535) {
    throw std::invalid_argument(fmt::format("--port takes a number from 0 to 65535, not {}", request.port));
  }
  TemporaryFolder temporary;
  const std::string token = make_token();
  ViewServer server(viewer_page(), token);
  BackgroundRuns background;
  for (const std::string& asked : request.paths) {
    const fs::path path = asked;
    if (fs::is_directory(path)) {
      for (const fs::path& folder : result_folders(path)) server.add_run(name_of(folder), folder);
    } else if (path.extension() == ".csv" && fs::exists(path)) {
      server.add_run(name_of(fs::absolute(path).parent_path()), fs::absolute(path).parent_path());
    } else if (fs::exists(path)) {
      RunRequest run = request.run;
      run.model = asked;
      check_run(run);
      run.out = (temporary.path() / std::to_string(server.runs())).string();
      fs::create_directories(run.out);
      server.add_run(path.stem().string(), run.out);
      background.add(std::move(run));
    } else {
      throw std::invalid_argument(fmt::format("{}: there is no such result folder or model", asked));
    }
  }

  HttpServer http(static_cast<std::uint16_t>(request.port),
                  [&server](const std::string& target) { return server.answer(target); });
  const std::string address = fmt::format("http://127.0.0.1:{}/{}/", http.port(), token);
  print(fmt::format("{}  (Ctrl-C ends)\n", address));
  background.start();
  if (!request.no_browser) open_browser(address, temporary.path());
  http.serve(request.seconds);
  if (!background.stop()) std::_Exit(exit_done);  // the temporary folder goes with the program
  return exit_done;
}

}  // namespace cardan
