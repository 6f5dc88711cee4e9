#include "vernier/engine/sql/this_machine.hpp"

#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>

namespace vernier::engine {

bool is_this_machine(std::string_view host) {
  const std::string text(host);
  in_addr four{};
  in6_addr six{};
  if (::inet_pton(AF_INET, text.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24U) == 127;
  if (::inet_pton(AF_INET6, text.c_str(), &six) == 1) return IN6_IS_ADDR_LOOPBACK(&six) != 0;
  return host == "localhost";
}

}  // namespace vernier::engine
