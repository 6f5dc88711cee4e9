#include "server/http/http.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <deque>

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <fmt/format.h>

#include "server/http/loop_parts.hpp"

namespace vernier::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr std::size_t first_read = 4096;
constexpr std::chrono::milliseconds pause_after_error{50};

std::string small(beast::string_view text) {
  std::string out(text.data(), text.size());
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

using Plain = beast::tcp_stream;
using Secure = beast::ssl_stream<beast::tcp_stream>;

// One connection: reads a head, asks whether it may go on, reads the body, answers, and begins anew; or, once it is
// answered by a stream, sends what it is given until either side has enough.
template <class Layer>
class Connection final : public Stream, public Waiting, public std::enable_shared_from_this<Connection<Layer>> {
 public:
  template <class... Tls>
  Connection(tcp::socket socket, std::string peer, Loop::Parts& parts, Site& site, const Limits& limits, Tls&... tls)
      : stream_(std::move(socket), tls...),
        parts_(parts),
        site_(site),
        limits_(limits),
        buffer_(limits.header_bytes * 2),
        peer_(std::move(peer)) {
    ++parts_.connections;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() override {
    stop_waiting();
    --parts_.connections;
    parts_.addresses.leave(counted_as(peer_));
  }

  void begin() {
    start_waiting();
    if constexpr (std::is_same_v<Layer, Secure>) {
      below().expires_after(limits_.header_time);
      stream_.async_handshake(asio::ssl::stream_base::server,
                              [self = self()](error_code error) { error ? self->shut() : self->wait(); });
    } else {
      wait();
    }
  }

  bool is_open() const override { return is_stream_; }

  void send(std::string text) override {
    if (!is_stream_) return;
    unread_ += text.size();
    if (unread_ > limits_.unread_bytes) return shut();
    pieces_.push_back(std::move(text));
    if (pieces_.size() == 1) send_next();
  }

  void close() override { shut(); }
  void cut() override { shut(); }

  // Between two requests a connection may rest; from the first byte of a head on it must come in time.
  void wait() {
    start_waiting();
    if (buffer_.size() > 0) return read_head();
    below().expires_after(limits_.idle_time);
    stream_.async_read_some(buffer_.prepare(first_read), [self = self()](error_code error, std::size_t count) {
      if (error) return self->shut();
      self->buffer_.commit(count);
      self->read_head();
    });
  }

 private:
  void start_waiting() {
    if (!place_) place_ = parts_.waiting.insert(parts_.waiting.end(), this);
  }
  void stop_waiting() {
    if (place_) parts_.waiting.erase(*std::exchange(place_, std::nullopt));
  }

  std::shared_ptr<Connection> self() { return this->shared_from_this(); }
  beast::tcp_stream& below() { return beast::get_lowest_layer(stream_); }

  void read_head() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
    parser_->body_limit(limits_.greatest_body);
    below().expires_after(limits_.header_time);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = self()](error_code error, std::size_t) { self->has_read_head(error); });
  }

  void has_read_head(error_code error) {
    if (error) return refuse(error);
    Request head = head_of(parser_->get());
    is_kept_ = parser_->get().keep_alive();
    const std::variant<Response, std::size_t> admitted = site_.admit(head);
    if (const Response* const no = std::get_if<Response>(&admitted)) return refuse(*no);
    const std::size_t most = std::get<std::size_t>(admitted);
    if (parser_->content_length().value_or(0) > most) return refuse(site_.refused(413));
    parser_->body_limit(most);
    if (parser_->is_done()) return answer(std::move(head));
    below().expires_after(limits_.body_time);
    http::async_read(stream_, buffer_, *parser_,
                     [self = self(), head = std::move(head)](error_code failed, std::size_t) mutable {
                       if (failed) return self->refuse(failed);
                       self->answer(std::move(head));
                     });
  }

  Request head_of(const http::request<http::string_body>& message) const {
    Request head;
    head.method = std::string(message.method_string());
    head.target = std::string(message.target());
    for (const auto& field : message) head.headers.emplace_back(small(field.name_string()), std::string(field.value()));
    head.peer = peer_;
    return head;
  }

  void answer(Request request) {
    stop_waiting();
    request.body = std::move(parser_->get().body());
    below().expires_never();
    site_.answer(std::move(request), [self = self()](Response response) { self->write(response); });
  }

  void refuse(error_code error) {
    if (error == http::error::body_limit) return refuse(site_.refused(413));
    if (error == http::error::header_limit) return refuse(site_.refused(431));
    if (error.category() == make_error_code(http::error::end_of_stream).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message) {
      return refuse(site_.refused(400));
    }
    shut();
  }

  void refuse(const Response& response) {
    is_kept_ = false;
    write(response);
  }

  void write(const Response& response) {
    if (response.begin) return write_stream(response);
    message_.emplace(static_cast<http::status>(response.status), 11);
    message_->set(http::field::content_type, response.type);
    for (const auto& [name, value] : response.headers) message_->set(name, value);
    message_->body() = response.body;
    message_->keep_alive(is_kept_);
    message_->prepare_payload();
    below().expires_after(limits_.write_time);
    http::async_write(stream_, *message_, [self = self()](error_code error, std::size_t) {
      self->message_.reset();
      if (error || !self->is_kept_) return self->shut();
      self->wait();
    });
  }

  void write_stream(const Response& response) {
    std::string head =
        fmt::format("HTTP/1.1 {} OK\r\nContent-Type: {}\r\nConnection: close\r\n", response.status, response.type);
    for (const auto& [name, value] : response.headers) head += name + ": " + value + "\r\n";
    is_stream_ = true;
    below().expires_never();
    send(head + "\r\n");
    watch_end();
    response.begin(self());
  }

  // What comes on a stream is thrown away: it is read to see the end.
  void watch_end() {
    stream_.async_read_some(asio::buffer(thrown_), [self = self()](error_code error, std::size_t) {
      error ? self->shut() : self->watch_end();
    });
  }

  void send_next() {
    asio::async_write(stream_, asio::buffer(pieces_.front()), [self = self()](error_code error, std::size_t count) {
      if (error || !self->is_stream_) return self->shut();
      self->unread_ -= count;
      self->pieces_.pop_front();
      if (!self->pieces_.empty()) self->send_next();
    });
  }

  void shut() {
    is_stream_ = false;
    stop_waiting();
    error_code ignored;
    below().socket().shutdown(tcp::socket::shutdown_send, ignored);
    below().close();
  }

  Layer stream_;
  Loop::Parts& parts_;
  Site& site_;
  const Limits limits_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> message_;
  std::string peer_;
  std::optional<std::list<Waiting*>::iterator> place_;
  bool is_kept_ = false;
  bool is_stream_ = false;
  std::deque<std::string> pieces_;
  std::size_t unread_ = 0;
  std::array<char, 512> thrown_{};
};

// Whether there is room for one more; at last that of whoever has waited longest to say anything.
bool has_room(Loop::Parts& parts, const std::string& peer, const Limits& limits) {
  const std::string counted = counted_as(peer);
  if (!parts.addresses.enter(counted, counted.empty() ? SIZE_MAX : limits.connections_of_address)) return false;
  if (parts.connections >= limits.connections && !parts.waiting.empty()) {
    parts.waiting.front()->cut();
    return true;
  }
  if (parts.connections < limits.connections) return true;
  parts.addresses.leave(counted);
  return false;
}

void begin_connection(Loop::Parts& parts, tcp::socket socket, Site& site, const Limits& limits) {
  error_code error;
  std::string peer = socket.remote_endpoint(error).address().to_string();
  if (error || !has_room(parts, peer, limits)) return;
  if (parts.tls) {
    std::make_shared<Connection<Secure>>(std::move(socket), std::move(peer), parts, site, limits, *parts.tls)->begin();
  } else {
    std::make_shared<Connection<Plain>>(std::move(socket), std::move(peer), parts, site, limits)->begin();
  }
}

void accept(Loop::Parts& parts, Site& site, const Limits& limits) {
  parts.acceptor.async_accept([&parts, &site, limits](error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted || !parts.acceptor.is_open()) return;
    if (!error) {
      begin_connection(parts, std::move(socket), site, limits);
      return accept(parts, site, limits);
    }
    auto pause = std::make_shared<asio::steady_timer>(parts.context, pause_after_error);  // no descriptor is free
    pause->async_wait([pause, &parts, &site, limits](error_code stopped) {
      if (!stopped && parts.acceptor.is_open()) accept(parts, site, limits);
    });
  });
}

void await_signal(asio::signal_set& signals, const std::function<void()>& work) {
  signals.async_wait([&](error_code error, int) {
    if (error) return;
    work();
    await_signal(signals, work);
  });
}

// TLS 1.2 and 1.3, by the server's own choice of ciphers.
Result<void> use_tls(std::optional<asio::ssl::context>& tls, const TlsFiles& files) {
  error_code error;
  tls.emplace(asio::ssl::context::tls_server);
  tls->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                   asio::ssl::context::no_tlsv1_1 | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_RENEGOTIATION);
  tls->use_certificate_chain_file(files.certificate, error);
  if (error)
    return invalid("--certificate", fmt::format("must be a file in PEM, but '{}' cannot be read", files.certificate),
                   "give the chain of the certificate, the server's own first");
  tls->use_private_key_file(files.key, asio::ssl::context::pem, error);
  if (!error && SSL_CTX_check_private_key(tls->native_handle()) == 1) return {};
  return invalid("--key", fmt::format("must be the private key of the certificate in PEM, but '{}' is not", files.key),
                 "give the key that belongs to --certificate");
}

Failure not_bound(const std::string& address, std::uint16_t port, const error_code& error) {
  return fail(ErrorKind::system, fmt::format("{}:{} cannot be listened on ({})", address, port, error.message()),
              "choose another port by --port, or leave it out for one that is free");
}

}  // namespace

std::optional<std::string> Request::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::size_t Request::count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::count_if(headers.begin(), headers.end(), [&](const auto& header) { return header.first == name; }));
}

Loop::Loop() : parts_(std::make_unique<Parts>()) {}
Loop::~Loop() = default;

Result<std::uint16_t> Loop::listen(const std::string& address, std::uint16_t port, Site& site, const Limits& limits,
                                   const std::optional<TlsFiles>& tls) {
  if (tls) {
    VERNIER_TRY(use_tls(parts_->tls, *tls));
  }
  error_code error;
  const auto parsed = asio::ip::make_address(address, error);
  if (error)
    return invalid("--address", fmt::format("must be an address such as 127.0.0.1, but it is '{}'", address), "");
  tcp::acceptor& acceptor = parts_->acceptor;
  const tcp::endpoint place(parsed, port);
  acceptor.open(place.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(place, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return not_bound(address, port, error);
  accept(*parts_, site, limits);
  return acceptor.local_endpoint().port();
}

void Loop::close_listener() {
  error_code ignored;
  parts_->acceptor.close(ignored);
}

void Loop::after(std::chrono::milliseconds wait, std::function<void()> work) {
  auto timer = std::make_shared<asio::steady_timer>(parts_->context, wait);
  timer->async_wait([timer, work = std::move(work)](error_code error) {
    if (!error) work();
  });
}

void Loop::on_signal(std::function<void()> work) {
  parts_->on_signal = std::move(work);
  parts_->signals.add(SIGTERM);
  parts_->signals.add(SIGINT);
  await_signal(parts_->signals, parts_->on_signal);
}

void Loop::on_hangup(std::function<void()> work) {
  parts_->on_hangup = std::move(work);
  parts_->hangups.add(SIGHUP);
  await_signal(parts_->hangups, parts_->on_hangup);
}

std::size_t Loop::connections() const { return parts_->connections; }

void Loop::run() { parts_->context.run(); }
void Loop::stop() { parts_->context.stop(); }

}  // namespace vernier::server
