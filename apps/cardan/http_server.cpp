// The only file that knows Boost.Beast.
#include "http_server.hpp"

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <csignal>
#include <deque>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace cardan {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;

constexpr std::uint32_t kHeaderBytes = 16 << 10;
constexpr int kConnections = 256;
constexpr unsigned kThreads = 4;
constexpr auto kFirstTime = std::chrono::seconds(5);     // for a whole request after the connection is there
constexpr auto kRequestTime = std::chrono::seconds(15);  // for the next ones
constexpr auto kReplyTime = std::chrono::minutes(2);

/// HttpCounts, from any thread.
struct Counters {
  std::atomic<std::int64_t> connections = 0, turned_away = 0, refused = 0, sockets = 0, cut_off = 0, frames = 0,
                            left_out = 0;
};

/// What all connections of a server share.
struct Shared {
  HttpHandler handler;
  SocketHandler sockets;
  bool local = true;  // only requests to this machine by its own name
  std::atomic<int> open = 0;
  Counters counters;
};

/// Loopback by name. Another site's page that resolved its own name to this machine sends that name, and is refused.
bool local_host(beast::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon != beast::string_view::npos && host.find(']', colon) == beast::string_view::npos)
    host = host.substr(0, colon);
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

/// A page of another site may open sockets to any address, but cannot hide where it comes from.
bool same_origin(const http::request<http::string_body>& request) {
  const auto origin = request.find(http::field::origin);
  return origin == request.end() || origin->value() == "http://" + std::string(request[http::field::host]);
}

/// How many came within a second.
struct PerSecond {
  std::chrono::steady_clock::time_point since;
  int count = 0;
  int add() {
    const auto now = std::chrono::steady_clock::now();
    if (now - since > std::chrono::seconds(1)) since = now, count = 0;
    return ++count;
  }
};

class SocketSession : public WebSocket, public std::enable_shared_from_this<SocketSession> {
 public:
  SocketSession(tcp::socket&& socket, Shared& shared) : stream_(std::move(socket)), shared_(shared), id_(next_id()) {
    ++shared_.open;
  }
  ~SocketSession() override { --shared_.open; }
  std::uint64_t id() const override { return id_; }

  void start(http::request<http::string_body>&& request) {
    beast::error_code ignored;
    tcp::socket& socket = beast::get_lowest_layer(stream_).socket();
    socket.set_option(tcp::no_delay(true), ignored);  // a frame waits for no other
    // Who reads slowly is to get new frames, not what the system has stored for seconds; nor does it store a flood.
    socket.set_option(asio::socket_base::send_buffer_size(kStoredBytes), ignored);
    socket.set_option(asio::socket_base::receive_buffer_size(kStoredBytes), ignored);
    websocket::stream_base::timeout limits{kHandshakeTime, kQuietTime, true};  // asks quiet ones whether they live
    stream_.set_option(limits);
    stream_.read_message_max(kSocketBytes);
    stream_.control_callback([this](websocket::frame_type, beast::string_view) {
      if (controls_.add() > kMessagesPerSecond) cut_off();
    });
    request_ = std::move(request);
    stream_.async_accept(request_, [self = shared_from_this()](beast::error_code error) {
      if (error) return;
      ++self->shared_.counters.sockets;
      self->shared_.sockets.opened(self);
      self->read();
    });
  }

  void send_newest(std::shared_ptr<const std::string> bytes) override {
    asio::post(stream_.get_executor(), [self = shared_from_this(), bytes = std::move(bytes)] {
      if (self->newest_) ++self->shared_.counters.left_out;
      self->newest_ = bytes;
      self->write();
    });
  }
  void send(std::string text) override {
    asio::post(stream_.get_executor(), [self = shared_from_this(), text = std::move(text)]() mutable {
      if (self->texts_.size() >= kMostTexts) return self->cut_off();
      self->texts_.push_back(std::move(text));
      self->write();
    });
  }

 private:
  static std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
  }

  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) {
        if (error.category() == websocket::make_error_code(websocket::error::bad_opcode).category() &&
            error != websocket::error::closed)
          ++self->shared_.counters.cut_off;
        return self->shared_.sockets.closed(*self);
      }
      const auto bytes = self->buffer_.data();
      if (self->stream_.got_text())
        self->shared_.sockets.received(*self, {static_cast<const char*>(bytes.data()), bytes.size()});
      self->buffer_.consume(self->buffer_.size());
      self->read_when_due();
    });
  }

  /// Who sends without end is read no faster than this.
  void read_when_due() {
    if (messages_.add() <= kMessagesPerSecond) return read();
    pause_.expires_at(messages_.since + std::chrono::seconds(1));
    pause_.async_wait([self = shared_from_this()](beast::error_code) { self->read(); });
  }

  void write() {
    if (writing_) return;
    const bool text = !texts_.empty();
    if (!text && !newest_) return;
    writing_ = true;
    if (text) {
      leaving_ = std::make_shared<const std::string>(std::move(texts_.front()));
      texts_.pop_front();
    } else {
      leaving_ = std::move(newest_);
      newest_.reset();
    }
    stream_.binary(!text);
    const auto done = [self = shared_from_this(), text](beast::error_code error, std::size_t) {
      self->writing_ = false;
      if (error) return;
      if (!text) ++self->shared_.counters.frames;
      self->write();
    };
    stream_.async_write(asio::buffer(*leaving_), done);
  }

  void cut_off() {
    if (!beast::get_lowest_layer(stream_).socket().is_open()) return;
    ++shared_.counters.cut_off;
    beast::get_lowest_layer(stream_).close();
  }

  static constexpr auto kHandshakeTime = std::chrono::seconds(10), kQuietTime = std::chrono::seconds(20);
  static constexpr std::size_t kMostTexts = 64;
  static constexpr int kMessagesPerSecond = 2000, kStoredBytes = 64 << 10;
  websocket::stream<beast::tcp_stream> stream_;
  asio::steady_timer pause_{stream_.get_executor()};
  PerSecond messages_, controls_;  // controls: pings and their like
  Shared& shared_;
  std::uint64_t id_;
  http::request<http::string_body> request_;
  beast::flat_buffer buffer_;
  std::deque<std::string> texts_;
  std::shared_ptr<const std::string> newest_, leaving_;
  bool writing_ = false;
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket&& socket, Shared& shared) : stream_(std::move(socket)), shared_(shared) { ++shared_.open; }
  ~Session() { --shared_.open; }

  void start() {
    asio::dispatch(stream_.get_executor(), beast::bind_front_handler(&Session::read, shared_from_this()));
  }

 private:
  void read() {
    parser_.emplace();
    parser_->header_limit(kHeaderBytes);
    parser_->body_limit(0);
    stream_.expires_after(first_ ? kFirstTime : kRequestTime);
    first_ = false;
    http::async_read(stream_, buffer_, *parser_, beast::bind_front_handler(&Session::answer, shared_from_this()));
  }

  void answer(beast::error_code error, std::size_t) {
    if (error == http::error::end_of_stream || error == beast::error::timeout) return close();
    if (error == http::error::header_limit) return reply({431, kText, "The request is too long.\n", {}}, false, false);
    if (error == http::error::body_limit)
      return reply({413, kText, "A request with a body is not taken.\n", {}}, false, false);
    if (error && error.category() == http::make_error_code(http::error::bad_target).category()) {
      return reply({400, kText, "This is no HTTP request.\n", {}}, false, false);
    }
    if (error) return;
    const auto& request = parser_->get();
    const bool head = request.method() == http::verb::head;
    if (!head && request.method() != http::verb::get) {
      return reply({405, kText, "Only GET and HEAD are answered.\n", {}}, false, false);
    }
    if (request.count(http::field::host) > 1) return reply({400, kText, "A request has one Host.\n", {}}, head, false);
    if (shared_.local && !local_host(request[http::field::host])) {
      return reply({403, kText, "Only requests to 127.0.0.1 or localhost are answered.\n", {}}, head, false);
    }
    if (shared_.sockets.admits && websocket::is_upgrade(request)) return upgrade();
    HttpReply made;
    try {
      made = shared_.handler(std::string(request.target()));
    } catch (const std::exception& failure) {
      made = {500, kText, std::string(failure.what()) + "\n", {}};
    }
    reply(std::move(made), head, request.keep_alive());
  }

  void upgrade() {
    const auto& request = parser_->get();
    if (!same_origin(request))
      return reply({403, kText, "A page of another site has no socket here.\n", {}}, false, false);
    if (!shared_.sockets.admits(std::string(request.target())))
      return reply({403, kText, "There is no socket here, or the address lacks its secret.\n", {}}, false, false);
    stream_.expires_never();
    std::make_shared<SocketSession>(stream_.release_socket(), shared_)->start(parser_->release());
  }

  template <class Body>
  void send(http::response<Body>&& response, bool head) {
    const auto kept = std::make_shared<http::response<Body>>(std::move(response));
    const bool last = kept->need_eof();
    const auto done = [self = shared_from_this(), kept, last](beast::error_code error, std::size_t) {
      if (error || last) return self->close();
      self->read();
    };
    if (!head) return http::async_write(stream_, *kept, done);
    const auto serializer = std::make_shared<http::response_serializer<Body>>(*kept);
    http::async_write_header(stream_, *serializer,
                             [serializer, done](beast::error_code error, std::size_t n) { done(error, n); });
  }

  template <class Body>
  static void describe(http::response<Body>& response, const HttpReply& reply, bool keep_alive) {
    response.version(11);
    response.result(reply.status);
    response.keep_alive(keep_alive);
    response.set(http::field::content_type, reply.type);
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    response.set("Referrer-Policy", "no-referrer");  // addresses hold a secret
    response.set("Content-Security-Policy",
                 "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
                 "connect-src 'self'; worker-src blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
    if (reply.status == 405) response.set(http::field::allow, "GET, HEAD");
  }

  void reply(HttpReply reply, bool head, bool keep_alive) {
    if (reply.status >= 400) ++shared_.counters.refused;
    stream_.expires_after(kReplyTime);
    if (!reply.file.empty()) {
      http::response<http::file_body> response;
      beast::error_code error;
      response.body().open(reply.file.c_str(), beast::file_mode::scan, error);
      if (!error) {
        describe(response, reply, keep_alive);
        response.prepare_payload();
        return send(std::move(response), head);
      }
      reply = {404, kText, "This file cannot be read.\n", {}};
    }
    http::response<http::string_body> response;
    describe(response, reply, keep_alive);
    response.body() = std::move(reply.body);
    response.prepare_payload();
    send(std::move(response), head);
  }

  void close() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  static constexpr const char* kText = "text/plain; charset=utf-8";
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{2 * kHeaderBytes};
  std::optional<http::request_parser<http::string_body>> parser_;
  Shared& shared_;
  bool first_ = true;
};

}  // namespace

struct HttpServer::Impl {
  Shared shared;
  asio::io_context context;
  tcp::acceptor acceptor{context};
  asio::steady_timer pause{context};

  void accept() {
    acceptor.async_accept(asio::make_strand(context), [this](beast::error_code error, tcp::socket socket) {
      if (!acceptor.is_open()) return;
      if (error) return accept_later();
      ++shared.counters.connections;
      if (shared.open < kConnections) {
        std::make_shared<Session>(std::move(socket), shared)->start();
      } else {
        ++shared.counters.turned_away;
      }
      accept();
    });
  }
  /// The system has no socket left; another may be given back soon.
  void accept_later() {
    pause.expires_after(std::chrono::milliseconds(100));
    pause.async_wait([this](beast::error_code error) {
      if (!error) accept();
    });
  }
};

HttpServer::HttpServer(std::uint16_t port, HttpHandler handler, SocketHandler sockets, const std::string& address)
    : impl_(std::make_unique<Impl>()) {
  impl_->shared.handler = std::move(handler);
  impl_->shared.sockets = std::move(sockets);
  tcp::acceptor& acceptor = impl_->acceptor;
  try {
    const tcp::endpoint endpoint(asio::ip::make_address(address), port);
    impl_->shared.local = endpoint.address().is_loopback();
    acceptor.open(endpoint.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    acceptor.bind(endpoint);
    acceptor.listen();
  } catch (const boost::system::system_error& error) {
    throw std::system_error(error.code().value(), std::system_category(),
                            "cannot listen on port " + std::to_string(port) + " of " + address);
  }
}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const { return impl_->acceptor.local_endpoint().port(); }

HttpCounts HttpServer::counts() const {
  const Counters& c = impl_->shared.counters;
  return {c.connections, c.turned_away, c.refused, c.sockets, c.cut_off, c.frames, c.left_out};
}

void HttpServer::stop() { impl_->context.stop(); }

void HttpServer::serve(double seconds) {
  asio::io_context& context = impl_->context;
  asio::signal_set signals(context, SIGINT, SIGTERM, SIGHUP);
  signals.async_wait([&context](beast::error_code error, int) {
    if (!error) context.stop();
  });
  asio::steady_timer timer(context);
  if (seconds > 0) {
    timer.expires_after(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds)));
    timer.async_wait([&context](beast::error_code error) {
      if (!error) context.stop();
    });
  }
  impl_->accept();
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < kThreads; ++i) threads.emplace_back([&context] { context.run(); });
  context.run();
}

}  // namespace cardan
