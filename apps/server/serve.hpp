#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "server/http/http.hpp"
#include "vernier/core/result.hpp"

namespace vernier::server {

struct Settings {
  std::filesystem::path root;           // only catalogs below it can be named
  std::vector<std::string> program;     // the words by which this program is started again
  std::uint16_t port = 0;               // 0: one that is free
  std::string analyst = {};             // whose share pays for who started it
  std::filesystem::path tokens = {};    // need not be there yet
  std::vector<std::string> hosts = {};  // names of a proxy before it, or of itself with TLS
  std::string address = "127.0.0.1";
  std::optional<TlsFiles> tls = {};  // without it only this machine is listened to
  std::optional<std::filesystem::path> audit = {};
  bool is_public = false;  // what was published is for everybody
  std::size_t workers = 2;
  std::chrono::milliseconds slot{2000};
  std::chrono::seconds longest{3600};  // that the run of an analyst may take
  std::chrono::seconds drain{60};
};

// Serves until SIGTERM or Ctrl-C; `told` gets the link once connections are taken.
Result<void> serve(const Settings& settings, const std::function<void(const std::string& link)>& told);

}  // namespace vernier::server
