// A small HTTP/1.1 server for one person: listens on 127.0.0.1 unless told otherwise, answers GET and HEAD, hands every
// well-formed request to one function, and opens WebSockets where somebody wants them. Malformed, oversized, slow or
// foreign requests are refused here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace cardan {

struct HttpReply {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::filesystem::path file;  // sent instead of the body when not empty
};

/// A sentence, for people.
inline HttpReply text_reply(unsigned status, const std::string& sentence) {
  return {status, HttpReply{}.type, sentence + "\n", {}};
}

/// `target` is the path and query as sent, not decoded; called from several threads at once.
using HttpHandler = std::function<HttpReply(const std::string& target)>;

/// A WebSocket that is open. Any thread may call these; none waits.
class WebSocket {
 public:
  virtual ~WebSocket() = default;
  /// One number for each, never used again.
  virtual std::uint64_t id() const = 0;
  /// Binary. It takes the place of one that has not left yet: who reads slowly gets fewer.
  virtual void send_newest(std::shared_ptr<const std::string> bytes) = 0;
  /// In order; who leaves too many unread is cut off.
  virtual void send(std::string text) = 0;
};

/// Called from several threads at once, but for one socket never at the same time. Without `admits` there are no
/// sockets.
struct SocketHandler {
  std::function<bool(const std::string& target)> admits;
  std::function<void(const std::shared_ptr<WebSocket>&)> opened;
  std::function<void(WebSocket&, std::string_view text)> received;  // at most kSocketBytes
  std::function<void(WebSocket&)> closed;
};
inline constexpr std::size_t kSocketBytes = 4096;

/// What has come and gone so far.
struct HttpCounts {
  std::int64_t connections = 0;
  std::int64_t turned_away = 0;  // of them: there were too many at once
  std::int64_t refused = 0;      // requests: malformed, foreign, without the secret, to what is not there
  std::int64_t sockets = 0;
  std::int64_t cut_off = 0;               // of them: malformed or endless frames, or too much left unread
  std::int64_t frames = 0, left_out = 0;  // of send_newest(): sent; replaced by newer ones, for who reads slowly
};

class HttpServer {
 public:
  /// Listens on `port` of an address of this machine, or on any free one for 0. Throws std::system_error when it cannot
  /// be had. On 127.0.0.1 only requests to that name are answered.
  HttpServer(std::uint16_t port, HttpHandler handler, SocketHandler sockets = {},
             const std::string& address = "127.0.0.1");
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  HttpCounts counts() const;
  /// Answers until SIGINT, SIGTERM or SIGHUP, or for so many seconds (0: no limit).
  void serve(double seconds);
  /// Ends serve(), from any thread.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cardan
