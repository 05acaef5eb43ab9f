// What the viewer's page may ask for: itself, the files of the result folders, and trajectories in binary form. Knows
// nothing of sockets. docs/viewer.md lists the addresses.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http_server.hpp"
#include "io/trajectory_file.hpp"

namespace cardan {

class ViewServer {
 public:
  /// Every address begins with /TOKEN/: what does not is refused, since other users of this machine reach the port too.
  ViewServer(std::string_view page, const std::string& token) : page_(page), token_(token) {}

  /// A result folder; it may be empty still.
  void add_run(const std::string& name, const std::filesystem::path& folder);
  std::size_t runs() const { return runs_.size(); }

  HttpReply answer(const std::string& target) const;

 private:
  struct Run {
    std::string name;
    std::filesystem::path folder;
    TrajectoryFile trajectory;
    Run(std::string n, const std::filesystem::path& f)
        : name(std::move(n)), folder(f), trajectory(f / "trajectory.csv") {}
  };

  HttpReply answer_trusted(std::string_view path) const;
  HttpReply list() const;
  static HttpReply status(const Run& run);
  static HttpReply columns(const Run& run);

  std::string_view page_;
  std::string token_;
  std::vector<std::unique_ptr<Run>> runs_;
};

}  // namespace cardan
