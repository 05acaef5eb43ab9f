// `cardan view`: results in the browser, while they are being computed or later.
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "commands.hpp"
#include "http_server.hpp"
#include "io/viewer_page.hpp"
#include "output.hpp"
#include "view_server.hpp"

namespace cardan {
namespace {

namespace fs = std::filesystem;

/// Removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "cardan-view-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), "cannot create a temporary folder");
    }
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

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

/// On a desktop only; whether a browser comes up is its own business.
void open_browser(const std::string& address) {
  const bool desktop = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
  if (isatty(STDOUT_FILENO) == 0 || !desktop) return;
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  std::string program = "xdg-open", argument = address;
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&quiet);
}

/// Runs of models go on in a thread of their own while the page shows them.
class BackgroundRuns {
 public:
  void add(RunRequest request) { requests_.push_back(std::move(request)); }
  void start() {
    running_ = !requests_.empty();
    if (!running_) return;
    std::thread([this] {
      for (const RunRequest& request : requests_) {
        try {
          run_model(request);
        } catch (const std::exception& error) {
          complain(fmt::format("{}: {}", request.model, error.what()));
        }
      }
      running_ = false;
    }).detach();
  }
  bool running() const { return running_; }

 private:
  std::vector<RunRequest> requests_;
  std::atomic<bool> running_ = false;
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
  ViewServer server(viewer_page());
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
  const std::string address = fmt::format("http://127.0.0.1:{}/", http.port());
  print(fmt::format("{}  (Ctrl-C ends)\n", address));
  background.start();
  if (!request.no_browser) open_browser(address);
  http.serve(request.seconds);
  if (background.running()) {
    // A run cannot be interrupted between two steps from here, and nobody looks at it any more.
    std::error_code ignored;
    fs::remove_all(temporary.path(), ignored);
    std::_Exit(kDone);
  }
  return kDone;
}

}  // namespace cardan
