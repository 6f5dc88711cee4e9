#include "engines/portable/silent_proxy.hpp"

#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace vernier::engines {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
  address.sin_port = ::htons(static_cast<std::uint16_t>(port));
  return address;
}

int connected_to(int port) {
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  ::connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return made;
}

// Whether there was something to hand on.
bool handed_on(int from, int to) {
  std::array<char, 65536> bytes{};
  const ssize_t count = ::recv(from, bytes.data(), bytes.size(), MSG_DONTWAIT);
  return count > 0 && ::send(to, bytes.data(), static_cast<std::size_t>(count), MSG_NOSIGNAL) == count;
}

}  // namespace

SilentProxy::SilentProxy(int to_port) : to_port_(to_port), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(listener_, 8) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("the loopback has no free port");
  }
  port_ = ::ntohs(address.sin_port);
  thread_ = std::thread([this] { run(); });
}

SilentProxy::~SilentProxy() {
  is_over_ = true;
  thread_.join();
  ::close(listener_);
}

void SilentProxy::run() const {
  std::vector<std::pair<int, int>> pairs;  // of a client, and of what it reaches
  while (!is_over_) {
    pollfd waiting{listener_, POLLIN, 0};
    if (::poll(&waiting, 1, 2) == 1) {
      const int client = ::accept(listener_, nullptr, nullptr);
      pairs.emplace_back(client, is_silent_ ? -1 : connected_to(to_port_));
    }
    for (const auto& [client, server] : pairs) {
      while (!is_silent_ && server >= 0 && (handed_on(client, server) || handed_on(server, client))) {
      }
    }
  }
  for (const auto& [client, server] : pairs) {
    ::close(client);
    if (server >= 0) ::close(server);
  }
}

}  // namespace vernier::engines
