// `cardan drive` as a child process, and a connection to it that speaks bytes: for tests and the benchmark of drives.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace cardan {

/// A drive under way with its address, ended with the object.
class Driven {
 public:
  /// The program runs in `folder`, with a model there; the recording goes to its folder `here`.
  Driven(const std::string& program, const std::filesystem::path& folder, const std::string& options) {
    const std::string out = (folder / "said.txt").string();
    child_ = fork();
    if (child_ == 0) {
      if (chdir(folder.c_str()) != 0) _exit(9);
      const int file = open(out.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
      dup2(file, STDOUT_FILENO);
      dup2(file, STDERR_FILENO);
      const std::string command = "exec '" + program + "' drive --out here " + options;
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(9);
    }
    for (int i = 0; i < 1000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::ifstream in(out);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      if (text.find('\n') == std::string::npos) continue;
      first_line_ = text.substr(0, text.find('\n'));
      break;
    }
  }
  ~Driven() {
    if (child_ > 0) end();
  }
  const std::string& first_line() const { return first_line_; }
  int port() const {
    const std::size_t at = first_line_.find("127.0.0.1:");
    return at == std::string::npos ? std::stoi(first_line_.substr(first_line_.rfind(' ')))
                                   : std::stoi(first_line_.substr(at + 10));
  }
  std::string secret() const {
    const std::size_t at = first_line_.find('/', first_line_.find("127.0.0.1:"));
    return first_line_.substr(at, first_line_.find(' ', at) - at);
  }
  pid_t id() const { return child_; }
  bool alive() const { return kill(child_, 0) == 0; }
  int end(int signal = SIGINT) {
    kill(child_, signal);
    return wait();
  }
  /// Until it has ended by itself.
  int wait() {
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t child_ = 0;
  std::string first_line_;
};

/// A connection that speaks bytes.
class Line {
 public:
  /// `unread`: bytes that the system keeps for who does not read; 0: as many as it likes.
  explicit Line(int port, int unread = 0) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    if (unread > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &unread, sizeof unread);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval wait{5, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~Line() { close(socket_); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  bool send(const std::string& bytes) const {
    return connected_ &&
           ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  std::string receive(std::size_t most = 1 << 16) const {
    std::string bytes(most, '\0');
    const ssize_t count = recv(socket_, bytes.data(), most, 0);
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
  }
  /// Asks for a socket; answers the status line. What follows it is for receive().
  std::string upgrade(const std::string& path, const std::string& more = "",
                      const std::string& host = "127.0.0.1") const {
    send("GET " + path + " HTTP/1.1\r\nHost: " + host +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
         "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
         more + "\r\n");
    std::string answer;
    for (std::string byte; answer.find("\r\n\r\n") == std::string::npos; answer += byte)
      if (byte = receive(1); byte.empty()) break;
    return answer.substr(0, answer.find('\r'));
  }
  /// A frame of a client: masked, as they must be.
  bool say(const std::string& text, unsigned char kind = 0x81) const {
    std::string frame{static_cast<char>(kind)};
    if (text.size() < 126) {
      frame += static_cast<char>(0x80 | text.size());
    } else {
      frame += static_cast<char>(0x80 | 126);
      frame += static_cast<char>(text.size() >> 8);
      frame += static_cast<char>(text.size() & 255);
    }
    frame += std::string(4, '\0') + text;
    return send(frame);
  }

 private:
  int socket_;
  bool connected_ = false;
};

/// Reads what a server's socket sends, frame by frame, as it comes in pieces.
class FrameReader {
 public:
  void take(const std::string& bytes) {
    held_ += bytes;
    while (next()) {
    }
  }
  std::int64_t frames() const { return frames_; }      // binary ones: of columns
  std::uint64_t step() const { return step_; }         // of the newest
  std::uint64_t stamp() const { return stamp_; }       // of the newest
  bool forwards() const { return forwards_; }          // none was older than the one before it
  const std::string& texts() const { return texts_; }  // one after the other

 private:
  bool next() {
    if (held_.size() < 2) return false;
    const auto byte = [this](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(held_[i])); };
    const std::size_t marked = byte(1) & 127, head = marked < 126 ? 2 : marked == 126 ? 4 : 10;
    if (held_.size() < head) return false;
    std::size_t size = marked < 126 ? marked : 0;
    for (std::size_t i = 2; i < head; ++i) size = size << 8 | byte(i);
    if (held_.size() < head + size) return false;
    if ((byte(0) & 15) == 1) texts_ += held_.substr(head, size) + '\n';
    if ((byte(0) & 15) == 2 && size >= 24) see(held_.data() + head);
    held_.erase(0, head + size);
    return true;
  }
  void see(const char* frame) {
    const std::uint64_t before = step_;
    std::memcpy(&step_, frame + 8, sizeof step_);
    std::memcpy(&stamp_, frame + 16, sizeof stamp_);
    forwards_ = forwards_ && step_ >= before;
    ++frames_;
  }

  std::string held_, texts_;
  std::int64_t frames_ = 0;
  std::uint64_t step_ = 0, stamp_ = 0;
  bool forwards_ = true;
};

}  // namespace cardan
