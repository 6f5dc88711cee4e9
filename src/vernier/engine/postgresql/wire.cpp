#include "vernier/engine/postgresql/wire.hpp"

#include <array>
#include <system_error>
#include <thread>

#include <poll.h>

namespace vernier::engine {
namespace {

constexpr std::chrono::seconds to_cancel{5};

// libpq would print what servers remark.
void ignore(void*, const char*) {}

// Asks the server by a connection of its own, which may take as long as the network lets it: nobody waits for that.
void ask_to_cancel(PGconn* handle) {
  const std::shared_ptr<PGcancel> asked(PQgetCancel(handle), [](PGcancel* one) { PQfreeCancel(one); });
  if (!asked) return;
  try {
    std::thread([asked] {
      std::array<char, 256> problem{};
      PQcancel(asked.get(), problem.data(), problem.size());
    }).detach();
  } catch (const std::system_error&) {  // no thread is to be had; the server notices by itself that nobody listens
  }
}

}  // namespace

void Wire::open(const std::vector<std::pair<const char*, std::string>>& options) {
  std::vector<const char*> keys, values;
  for (const auto& [key, value] : options) {
    keys.push_back(key);
    values.push_back(value.c_str());
  }
  keys.push_back(nullptr);
  values.push_back(nullptr);
  handle_.reset(PQconnectdbParams(keys.data(), values.data(), 1));
  PQsetNoticeProcessor(handle_.get(), ignore, nullptr);
}

bool Wire::is_lost() const { return PQstatus(handle_.get()) != CONNECTION_OK; }
bool Wire::needs_password() const { return PQconnectionNeedsPassword(handle_.get()) == 1; }
int Wire::version() const { return PQserverVersion(handle_.get()); }

bool Wire::send(const std::string& sql) { return handle_ && PQsendQuery(handle_.get(), sql.c_str()) == 1; }

bool Wire::send(const std::string& sql, const std::vector<std::string>& texts, bool by_rows) {
  std::vector<const char*> values;
  for (const std::string& one : texts) values.push_back(one.c_str());
  const int count = static_cast<int>(values.size());
  return handle_ &&
         PQsendQueryParams(handle_.get(), sql.c_str(), count, nullptr, values.data(), nullptr, nullptr,
                           by_rows ? 1 : 0) == 1 &&
         (!by_rows || PQsetSingleRowMode(handle_.get()) == 1);
}

// Whether the connection still stands.
bool Wire::take_input() const {
  pollfd socket{PQsocket(handle_.get()), POLLIN, 0};
  return ::poll(&socket, 1, 50) == 0 || PQconsumeInput(handle_.get()) == 1;
}

Wire::Next Wire::next(Clock::time_point end, const Progress& progress) {
  while (PQisBusy(handle_.get()) == 1) {
    if (!take_input()) return {Came::nothing};
    const bool is_wanted = progress(0);
    if (is_wanted && Clock::now() < end) continue;
    cancel();
    return {is_wanted ? Came::nothing : Came::stopped};
  }
  Answer answer(PQgetResult(handle_.get()));
  return answer ? Next{Came::answer, std::move(answer)} : Next{Came::end};
}

void Wire::cancel() {
  ask_to_cancel(handle_.get());
  for (const auto end = Clock::now() + to_cancel; Clock::now() < end;) {
    if (PQisBusy(handle_.get()) == 1) {
      if (!take_input()) break;
    } else if (const Answer rest{PQgetResult(handle_.get())}; !rest) {
      return;
    }
  }
  handle_.reset();
}

}  // namespace vernier::engine
