// Any target of a request to the view server: answered or refused; no file from outside the result folder is ever sent.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "view_server.hpp"

namespace {

/// A result of three rows, made once.
class Result {
 public:
  Result()
      : folder_(std::filesystem::temp_directory_path() / "cardan-request-fuzz"), server_("<html></html>", "token") {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "trajectory.csv") << "t,arm.x,arm.y\n0,1,0\n0.1,0.9,0.1\n0.2,0.8,0.2\n";
    std::ofstream(folder_ / "summary.json") << "{\"status\": \"ok\"}\n";
    server_.add_run("result", folder_);
  }

  void ask(const std::string& target) const {
    const cardan::HttpReply reply = server_.answer(target);
    if (reply.file.empty()) return;
    if (std::filesystem::weakly_canonical(reply.file).parent_path() != std::filesystem::canonical(folder_))
      __builtin_trap();
  }

 private:
  std::filesystem::path folder_;
  cardan::ViewServer server_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Result result;
  const std::string target(reinterpret_cast<const char*>(data), size);
  result.ask(target);
  result.ask("/token" + target);
  return 0;
}
