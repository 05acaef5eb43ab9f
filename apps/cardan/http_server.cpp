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
#include <chrono>
#include <csignal>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace cardan {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;

constexpr std::uint32_t kHeaderBytes = 16 << 10;
constexpr int kConnections = 64;
constexpr unsigned kThreads = 4;
constexpr auto kRequestTime = std::chrono::seconds(15);  // for a whole request, and between two
constexpr auto kReplyTime = std::chrono::minutes(2);

/// Loopback by name. Another site's page that resolved its own name to this machine sends that name, and is refused.
bool local_host(beast::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon != beast::string_view::npos && host.find(']', colon) == beast::string_view::npos)
    host = host.substr(0, colon);
  return host == "127.0.0.1" || host == "localhost";
}

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket&& socket, const HttpHandler& handler, std::atomic<int>& open)
      : stream_(std::move(socket)), handler_(handler), open_(open) {
    ++open_;
  }
  ~Session() { --open_; }

  void start() {
    asio::dispatch(stream_.get_executor(), beast::bind_front_handler(&Session::read, shared_from_this()));
  }

 private:
  void read() {
    parser_.emplace();
    parser_->header_limit(kHeaderBytes);
    parser_->body_limit(0);
    stream_.expires_after(kRequestTime);
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
    if (!local_host(request[http::field::host])) {
      return reply({403, kText, "Only requests to 127.0.0.1 or localhost are answered.\n", {}}, head, false);
    }
    HttpReply made;
    try {
      made = handler_(std::string(request.target()));
    } catch (const std::exception& failure) {
      made = {500, kText, std::string(failure.what()) + "\n", {}};
    }
    reply(std::move(made), head, request.keep_alive());
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
                 "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
    if (reply.status == 405) response.set(http::field::allow, "GET, HEAD");
  }

  void reply(HttpReply reply, bool head, bool keep_alive) {
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
  const HttpHandler& handler_;
  std::atomic<int>& open_;
};

}  // namespace

struct HttpServer::Impl {
  HttpHandler handler;
  std::atomic<int> open = 0;
  asio::io_context context;
  tcp::acceptor acceptor{context};

  void accept() {
    acceptor.async_accept(asio::make_strand(context), [this](beast::error_code error, tcp::socket socket) {
      if (!acceptor.is_open()) return;
      if (!error && open < kConnections) std::make_shared<Session>(std::move(socket), handler, open)->start();
      accept();
    });
  }
};

HttpServer::HttpServer(std::uint16_t port, HttpHandler handler) : impl_(std::make_unique<Impl>()) {
  impl_->handler = std::move(handler);
  tcp::acceptor& acceptor = impl_->acceptor;
  try {
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    acceptor.open(endpoint.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    acceptor.bind(endpoint);
    acceptor.listen();
  } catch (const boost::system::system_error& error) {
    throw std::system_error(error.code().value(), std::system_category(),
                            "cannot listen on port " + std::to_string(port) + " of 127.0.0.1");
  }
}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const { return impl_->acceptor.local_endpoint().port(); }

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
