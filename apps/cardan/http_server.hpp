// A small HTTP/1.1 server for one person: listens on 127.0.0.1 alone, answers GET and HEAD, hands every well-formed
// request to one function. Malformed, oversized, slow or foreign requests are refused here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace cardan {

struct HttpReply {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::filesystem::path file;  // sent instead of the body when not empty
};

/// `target` is the path and query as sent, not decoded; called from several threads at once.
using HttpHandler = std::function<HttpReply(const std::string& target)>;

class HttpServer {
 public:
  /// Listens on `port`, or on any free one for 0. Throws std::system_error when the port cannot be had.
  HttpServer(std::uint16_t port, HttpHandler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  /// Answers until SIGINT, SIGTERM or SIGHUP, or for so many seconds (0: no limit).
  void serve(double seconds);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cardan
