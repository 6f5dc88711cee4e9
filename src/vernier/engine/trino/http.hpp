#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "vernier/core/progress.hpp"
#include "vernier/core/result.hpp"

namespace vernier::engine {

// https://USER@HOST:PORT, in its parts.
struct HttpAddress {
  bool is_secure = true;
  std::string host;
  int port = 443;
  std::string user;

  bool is_on_this_machine() const;
};
Result<HttpAddress> http_address(const std::string& address);

// The header Authorization of a user with a password.
std::string basic_access(const std::string& user, const std::string& password);

// What came of a request. Nothing of it is told to anybody here.
enum class Reached : unsigned char { yes, no, untrusted, stopped };
struct HttpAnswer {
  Reached reached = Reached::no;
  int status = 0;
  std::string body;
};

// Requests to one server, one at a time. Certificates are verified by those that this machine trusts (or that
// SSL_CERT_FILE names), the server's name with them; nothing is sent to another server, whatever an answer says.
class Http {
 public:
  using Headers = std::vector<std::pair<std::string, std::string>>;

  Http(const HttpAddress& address, Headers headers);
  Http(const Http&) = delete;
  Http& operator=(const Http&) = delete;
  ~Http();

  // The watcher is asked every 50 ms; where it says no, the request is given up. An answer of more than 256 MB is none.
  HttpAnswer ask(const std::string& method, const std::string& path, const std::string& body, const Progress& progress);

 private:
  struct Client;
  std::unique_ptr<Client> client_;
};

}  // namespace vernier::engine
