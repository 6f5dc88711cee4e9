#include "vernier/engine/spark/channel.hpp"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace vernier::engine {
namespace {

constexpr std::chrono::seconds to_connect{10};
constexpr int patience = 50;  // ms

struct FreeAddresses {
  void operator()(addrinfo* first) const { ::freeaddrinfo(first); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Addresses addresses_of(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const bool is_found = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) == 0;
  return Addresses(is_found ? found : nullptr);
}

// What answers nothing any more is given up after 30 + 3 x 5 s.
void keep_alive(int socket) {
  const auto set = [&](int level, int option, int value) { ::setsockopt(socket, level, option, &value, sizeof value); };
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 30);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, 45'000);
  set(IPPROTO_TCP, TCP_NODELAY, 1);
}

bool is_connected(int socket) {
  int problem = 0;
  socklen_t size = sizeof problem;
  return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &problem, &size) == 0 && problem == 0;
}

}  // namespace

// TLS between two memories, so that the socket is ours alone: no signal comes of one that was closed.
class Channel::Tls {
 public:
  explicit Tls(const std::string& host) : context_(SSL_CTX_new(TLS_client_method())) {
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
    SSL_CTX_set_default_verify_paths(context_.get());
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    own_.reset(SSL_new(context_.get()));
    SSL_set_bio(own_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    constexpr std::array<unsigned char, 3> http2 = {2, 'h', '2'};
    SSL_set_alpn_protos(own_.get(), http2.data(), http2.size());
    name(host);
  }

  bool is_agreed() { return SSL_do_handshake(own_.get()) == 1; }
  bool is_refused() const { return SSL_get_verify_result(own_.get()) != X509_V_OK; }

  void take(std::string_view bytes) {
    BIO_write(SSL_get_rbio(own_.get()), bytes.data(), static_cast<int>(bytes.size()));
  }
  void hide(std::string_view bytes) { SSL_write(own_.get(), bytes.data(), static_cast<int>(bytes.size())); }

  std::string hidden() {
    return all_of([&](char* to, int most) { return BIO_read(SSL_get_wbio(own_.get()), to, most); });
  }
  std::string shown() {
    return all_of([&](char* to, int most) { return SSL_read(own_.get(), to, most); });
  }

 private:
  struct Free {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL* own) const { SSL_free(own); }
  };

  // Whom the certificate must be of: a name, or an address.
  void name(const std::string& host) {
    SSL_set_connect_state(own_.get());
    if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(own_.get()), host.c_str()) == 1) return;
    SSL_set1_host(own_.get(), host.c_str());
    SSL_set_tlsext_host_name(own_.get(), host.c_str());
  }

  template <class Read>
  static std::string all_of(const Read& read) {
    std::string all;
    std::array<char, 16384> part{};
    for (int size = 0; (size = read(part.data(), static_cast<int>(part.size()))) > 0;) {
      all.append(part.data(), static_cast<std::size_t>(size));
    }
    return all;
  }

  std::unique_ptr<SSL_CTX, Free> context_;
  std::unique_ptr<SSL, Free> own_;
};

Channel::Channel() = default;
Channel::~Channel() {
  if (socket_ >= 0) ::close(socket_);
}

Channel::State Channel::open(const Server& server, const Progress& progress) {
  const auto end = Clock::now() + to_connect;
  if (!connect(server, end, progress)) return state_;
  state_ = State::open;
  if (!server.is_secure) return state_;
  tls_ = std::make_unique<Tls>(server.host);
  if (!shake_hands(end, progress)) state_ = tls_->is_refused() ? State::untrusted : State::lost;
  return state_;
}

bool Channel::connect(const Server& server, Clock::time_point end, const Progress& progress) {
  const Addresses all = addresses_of(server.host, server.port);
  for (const addrinfo* one = all.get(); one != nullptr; one = one->ai_next) {
    if (socket_ >= 0) ::close(socket_);
    socket_ = ::socket(one->ai_family, one->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, one->ai_protocol);
    if (socket_ < 0) continue;
    keep_alive(socket_);
    const bool is_begun = ::connect(socket_, one->ai_addr, one->ai_addrlen) == 0 || errno == EINPROGRESS;
    while (is_begun && Clock::now() < end && progress(0)) {
      if (!is_ready(POLLOUT)) continue;
      if (is_connected(socket_)) return true;
      break;
    }
  }
  return false;
}

bool Channel::shake_hands(Clock::time_point end, const Progress& progress) {
  while (state_ == State::open && Clock::now() < end && progress(0)) {
    const bool is_agreed = tls_->is_agreed();
    if (!send_plain(tls_->hidden())) return false;
    if (is_agreed) return true;
    tls_->take(receive_plain());
  }
  return false;
}

bool Channel::is_ready(short events) const {
  pollfd one{socket_, events, 0};
  return ::poll(&one, 1, patience) > 0;
}

void Channel::send(std::string_view bytes) {
  if (tls_) tls_->hide(bytes);
  if (!send_plain(tls_ ? std::string_view(tls_->hidden()) : bytes)) state_ = State::lost;
}

bool Channel::send_plain(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      (void)is_ready(POLLOUT);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

std::string Channel::receive() {
  std::string bytes = receive_plain();
  if (!tls_) return bytes;
  tls_->take(bytes);
  bytes = tls_->shown();
  if (!send_plain(tls_->hidden())) state_ = State::lost;
  return bytes;
}

std::string Channel::receive_plain() {
  if (!is_ready(POLLIN)) return {};
  std::string bytes(65536, '\0');
  const ssize_t size = ::recv(socket_, bytes.data(), bytes.size(), 0);
  const bool is_lost = size == 0 || (size < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
  if (is_lost) state_ = State::lost;
  bytes.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return bytes;
}

}  // namespace vernier::engine
