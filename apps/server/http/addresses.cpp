#include "server/http/addresses.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

namespace vernier::server {
namespace {

std::string counted_as(const in_addr& address) {
  const std::uint32_t number = ntohl(address.s_addr);
  return number >> 24U == 127 ? "" : fmt::format("{:08x}", number);
}

}  // namespace

std::string counted_as(const std::string& address) {
  in_addr four{};
  if (::inet_pton(AF_INET, address.c_str(), &four) == 1) return counted_as(four);
  in6_addr six{};
  if (::inet_pton(AF_INET6, address.substr(0, address.find('%')).c_str(), &six) != 1) return address;
  if (IN6_IS_ADDR_LOOPBACK(&six)) return "";
  if (IN6_IS_ADDR_V4MAPPED(&six)) {
    std::memcpy(&four, &six.s6_addr[12], sizeof four);
    return counted_as(four);
  }
  std::string network;
  for (int i = 0; i < 8; ++i) network += fmt::format("{:02x}", six.s6_addr[i]);
  return network;
}

}  // namespace vernier::server
