// What the cockpit's page may ask of a drive, and what it is sent: docs/drive.md. Knows nothing of sockets' bytes.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "drive/drive_loop.hpp"
#include "http_server.hpp"

namespace cardan {

class DriveServer {
 public:
  /// The loop must outlive it. Assembles the mechanism once more, to look at states beside the thread that steps.
  DriveServer(std::string_view page, const std::string& token, const Mechanism& mechanism, const RunOptions& options,
              DriveLoop& drive);
  ~DriveServer();

  HttpReply answer(const std::string& target) const;
  SocketHandler sockets();
  /// Sends frames and statistics until stop(), which must come before the end of the sockets' server.
  void start();
  void stop();

 private:
  struct Page {
    std::shared_ptr<WebSocket> socket;
    std::uint64_t stamp = 0;  // of its inputs that the last frame has felt
    int mistakes = 0;
  };

  std::string description() const;
  void receive(WebSocket& socket, std::string_view text);
  /// Answers what was wrong; empty when nothing was.
  std::string obey(WebSocket& socket, std::string_view text);
  void look();
  bool nobody() const;
  void send_frame(const DriveFrame& frame);
  std::string statistics() const;
  void send_to_all(const std::string& text);

  std::string_view page_;
  std::string token_;
  const Mechanism& mechanism_;
  RunOptions options_;
  std::string scene_;
  DriveLoop& drive_;
  Simulation look_;
  std::vector<double> row_;
  DriveMode told_ = DriveMode::runs;
  mutable std::mutex pages_mutex_;
  std::vector<Page> pages_;
  std::atomic<bool> end_ = false, fresh_ = false;  // fresh: a page has come that has seen nothing yet
  std::thread thread_;
};

}  // namespace cardan
