// A bare Beast server: it sends every body back. What a request costs before anything is done with it.
// Usage: bench_server_echo   (prints its port, and serves on 127.0.0.1 until it is ended)
#include <cstdio>
#include <memory>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using tcp = boost::asio::ip::tcp;
using boost::system::error_code;

class Echo : public std::enable_shared_from_this<Echo> {
 public:
  explicit Echo(tcp::socket socket) : stream_(std::move(socket)) {}

  void read() {
    request_ = {};
    http::async_read(stream_, buffer_, request_, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) self->write();
    });
  }

 private:
  void write() {
    response_ = http::response<http::string_body>(http::status::ok, 11);
    response_.body() = request_.body();
    response_.keep_alive(request_.keep_alive());
    response_.prepare_payload();
    http::async_write(stream_, response_, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error && self->response_.keep_alive()) self->read();
    });
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  http::request<http::string_body> request_;
  http::response<http::string_body> response_;
};

void accept(tcp::acceptor& acceptor) {
  acceptor.async_accept([&](error_code error, tcp::socket socket) {
    if (!error) std::make_shared<Echo>(std::move(socket))->read();
    accept(acceptor);
  });
}

}  // namespace

int main() {
  boost::asio::io_context context(1);
  tcp::acceptor acceptor(context, {boost::asio::ip::make_address("127.0.0.1"), 0});
  std::printf("%d\n", acceptor.local_endpoint().port());
  std::fflush(stdout);
  accept(acceptor);
  context.run();
}
