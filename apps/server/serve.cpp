#include "server/serve.hpp"

#include <ctime>
#include <limits>
#include <system_error>

#include <fmt/format.h>
#include <sys/resource.h>

#include "server/front.hpp"
#include "vernier/core/hash.hpp"

namespace vernier::server {
namespace {

using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;

constexpr std::chrono::seconds quick_time{30}, storing_time{2};

std::vector<std::string> with_words(std::vector<std::string> program, std::initializer_list<std::string> words) {
  program.insert(program.end(), words);
  return program;
}

WorkerSettings quick_settings(const Settings& settings) {
  return {with_words(settings.program, {"serve-worker", "quick", settings.root.string()}), settings.workers, 64, 12,
          quick_time};
}

WorkerSettings release_settings(const Settings& settings) {
  return {with_words(settings.program, {"serve-worker", "release", settings.root.string()}), settings.workers, 256, 256,
          0s};
}

// Who has started the server owns what it reads, and may everything.
Result<Token> start_token(const std::string& token, const std::string& analyst) {
  VERNIER_TRY(std::string hash, sha256(token));
  return Token{{analyst, readers, true}, std::move(hash), std::numeric_limits<std::int64_t>::max()};
}

Result<std::vector<Token>> all_tokens(const Settings& settings, const Token& start) {
  std::vector<Token> tokens;
  if (std::error_code ignored; std::filesystem::exists(settings.tokens, ignored)) {
    VERNIER_TRY(tokens, read_tokens(settings.tokens));
  }
  tokens.push_back(start);
  return tokens;
}

void raise_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::size_t most_connections() {
  rlimit limit{};
  const std::size_t usual = Limits().connections;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < 200) return usual;
  return std::min<std::size_t>(usual, limit.rlim_cur - 100);
}

std::string link_of(const Settings& settings, std::uint16_t port, const std::string& token) {
  const bool is_known = settings.tls && !settings.hosts.empty();
  const std::string host = is_known ? settings.hosts.front() : settings.address;
  const bool is_wide = host.find(':') != std::string::npos;
  return fmt::format("{}://{}:{}/#t={}", settings.tls ? "https" : "http", is_wide ? "[" + host + "]" : host, port,
                     token);
}

// The first signal lets what is paid for finish, the second one does not.
class Closing {
 public:
  Closing(Loop& loop, Front& front, Workers& releasing, std::chrono::seconds drain)
      : loop_(loop), front_(front), releasing_(releasing), drain_(drain) {}

  void begin() {
    if (is_begun_) return loop_.stop();
    is_begun_ = true;
    front_.close();
    loop_.after(drain_, [this] { hurry(); });
    look();
  }

 private:
  // What only waits for its slot is stored, and what still runs is lost.
  void hurry() {
    releasing_.hurry();
    loop_.after(storing_time, [this] { loop_.stop(); });
  }

  void look() {
    if (front_.is_idle()) return loop_.after(200ms, [this] { loop_.stop(); });  // for answers on their way
    loop_.after(50ms, [this] { look(); });
  }

  Loop& loop_;
  Front& front_;
  Workers& releasing_;
  std::chrono::seconds drain_;
  bool is_begun_ = false;
};

}  // namespace

Result<void> serve(const Settings& settings, const std::function<void(const std::string& link)>& told) {
  VERNIER_TRY(const std::string token, new_token());
  VERNIER_TRY(const Token start, start_token(token, settings.analyst));
  VERNIER_TRY(std::vector<Token> tokens, all_tokens(settings, start));
  raise_descriptors();
  Loop loop;
  Workers quick(loop, quick_settings(settings)), releasing(loop, release_settings(settings));
  Front front(loop, Access(std::move(tokens)), quick, releasing, {settings.slot, settings.longest});
  Limits limits;
  limits.connections = most_connections();
  if (settings.audit) {
    VERNIER_TRY(Audit audit, Audit::open(*settings.audit));
    front.set_audit(std::move(audit));
  }
  VERNIER_TRY(const std::uint16_t port, loop.listen(settings.address, settings.port, front, limits, settings.tls));
  front.set_names(names_of(port, settings.hosts, settings.address, settings.tls.has_value()));
  front.set_public(settings.is_public);
  front.set_tokens(settings.tokens, start);
  Closing closing(loop, front, releasing, settings.drain);
  loop.on_signal([&] { closing.begin(); });
  loop.on_hangup([&] { front.read_tokens_again(); });
  told(link_of(settings, port, token));
  loop.run();
  return {};
}

}  // namespace vernier::server
