#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "server/access/access.hpp"
#include "server/http/http.hpp"
#include "server/slots.hpp"
#include "server/worker/workers.hpp"

// Releases on their way: which were begun under which key, how far they are, and when their answer may be told.
namespace vernier::server {

enum class State : std::uint8_t { queued, running, paid, ready, refused, unanswered };
std::string_view name_of(State state);
constexpr bool is_open(State state) { return state <= State::paid; }

struct ReleaseJob {
  Person person;
  std::string key;
  std::string catalog;
  std::string plan_hash;
  std::string step = {};  // of series: the day of the one that is released
  State state = State::queued;
  std::uint64_t question = 0;
  std::optional<std::chrono::steady_clock::time_point> running_at = {};
  bool is_stopping = false;                // at its next slot
  std::int64_t begun = 0;                  // seconds since 1970
  std::optional<std::int64_t> entry = {};  // of the ledger, once it is known to be paid for
  Response answer = {};                    // of the worker, once it may be told
  std::int64_t expires = 0;                // from when on it may be forgotten; the ledger does not forget
};

// What a key stands for.
struct Wanted {
  std::string catalog;
  std::string plan_hash;
  std::string step = {};
};

inline constexpr std::size_t most_jobs = 5000, most_running_of_one = 4;

class Releases {
 public:
  // Asks the ledger about the key of a job: the answer of the route "request-state".
  using LookUp = std::function<void(const ReleaseJob&, const std::function<void(const Response&)>&)>;
  using Changed = std::function<void(const ReleaseJob&)>;

  Releases(Loop& loop, Workers& workers, Slots slots, LookUp look_up, Changed changed)
      : loop_(loop), workers_(workers), slots_(slots), look_up_(std::move(look_up)), changed_(std::move(changed)) {}

  // Whether a key may be used: 16 to 64 letters, digits, dots, dashes and underlines.
  static bool is_key(const std::string& key);

  // Begins the release, or tells how far the one with this key is.
  Response begin(const Person& person, const std::string& key, const Wanted& wanted, const std::string& body);
  // None where this person has begun none with this key since the server was started.
  std::optional<Response> state(const Person& person, const std::string& key) const;
  // One that waits is taken back, and costs nothing. One that may be paid for is stopped only where that is said, and
  // at its next slot, where it has slots.
  std::optional<Response> stop(const Person& person, const std::string& key, bool also_where_spent);

  std::size_t running() const;
  std::map<std::string, std::size_t> by_state() const;
  std::int64_t overruns() const { return overruns_; }

 private:
  using Jobs = std::map<std::string, ReleaseJob, std::less<>>;
  std::size_t running_of(const std::string& owner) const;
  void forget_old(std::int64_t now);
  static void runs(ReleaseJob& job);
  void watch(const std::string& id);
  void note_entry(const std::string& id, const Response& found);
  // {"request", "state", "catalog", "plan_hash", "begun", "entry", "ready_at", "stopping", "answer"}
  Response told(const ReleaseJob& job) const;
  Slots slots_of(const ReleaseJob& job) const { return job.person.is_local ? Slots{} : slots_; }
  Frame question_for(const ReleaseJob& job, const std::string& body) const;
  void has_ended(const std::string& id, Ending ending, const Frame& answer);
  void has_died(const std::string& id, Ending ending, const Response& found);
  void stop_run(ReleaseJob& job);
  void settle(ReleaseJob& job, State state, Response answer);

  Loop& loop_;
  Workers& workers_;
  Slots slots_;
  LookUp look_up_;
  Changed changed_;
  std::int64_t overruns_ = 0;
  Jobs jobs_;  // by person and key
};

}  // namespace vernier::server
