#include "engines/portable/fake_trino.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

#include <httplib.h>

namespace vernier::engines {

struct FakeTrino::Server {
  std::unique_ptr<httplib::Server> own;
  int port = 0;
  std::thread thread;
};

FakeTrino::FakeTrino() : server_(std::make_unique<Server>()) {
  server_->own = std::make_unique<httplib::Server>();
  begin();
}

FakeTrino::FakeTrino(const std::filesystem::path& certificate, const std::filesystem::path& key)
    : server_(std::make_unique<Server>()) {
  server_->own = std::make_unique<httplib::SSLServer>(certificate.c_str(), key.c_str());
  begin();
}

FakeTrino::~FakeTrino() {
  server_->own->stop();
  server_->thread.join();
}

int FakeTrino::port() const { return server_->port; }

void FakeTrino::begin() {
  const std::string type = "application/json", next = R"("nextUri": "http://x/v1/statement/queued/1")";
  const std::string one = R"({"columns": [{"name": "a", "type": "bigint"}], "data": [[1]]})";
  httplib::Server& own = *server_->own;
  own.Get("/v1/info", [=](const httplib::Request&, httplib::Response& answer) {
    answer.set_content(R"({"nodeVersion": {"version": "476"}, "starting": false})", type);
  });
  own.Post("/v1/statement", [=, this](const httplib::Request& request, httplib::Response& answer) {
    ++asked_;
    const bool is_slow = request.body.find("slow") != std::string::npos;
    if (is_slow) std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    answer.set_content(is_slow ? "{" + next + "}" : one, type);
  });
  own.Get("/v1/statement/.*",
          [=](const httplib::Request&, httplib::Response& answer) { answer.set_content("{" + next + "}", type); });
  own.Delete("/v1/statement/.*", [this](const httplib::Request&, httplib::Response& answer) {
    ++deleted_;
    answer.status = 204;
  });
  server_->port = own.bind_to_any_port("127.0.0.1");
  if (server_->port <= 0) throw std::runtime_error("the loopback has no free port");
  server_->thread = std::thread([this] { server_->own->listen_after_bind(); });
}

}  // namespace vernier::engines
