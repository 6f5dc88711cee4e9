#include "server/releases.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include <nlohmann/json.hpp>

#include "server/front.hpp"
#include "vernier/core/json_writer.hpp"

namespace vernier::server {
namespace {

using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kept_seconds = 3600;
constexpr milliseconds look_every{300};
constexpr int late_slots = 12;  // one that is told at 16 times the slot or later is counted as one that overran

std::string id_of(const Person& person, const std::string& key) { return person.name + "/" + key; }

nlohmann::json json_of(const std::string& text) { return nlohmann::json::parse(text, nullptr, false); }

State state_of(Ending ending, const Response& response, const Frame& answer) {
  if (ending != Ending::answered) return State::refused;
  if (response.status == 200) return State::ready;
  const nlohmann::json head = json_of(answer.head);
  return head.is_object() && head.value("paid", false) ? State::unanswered : State::refused;
}

std::optional<std::int64_t> entry_in(const nlohmann::json& answer) {
  if (!answer.is_object() || !answer.contains("entry")) return std::nullopt;
  return answer["entry"].get<std::int64_t>();
}

}  // namespace

std::string_view name_of(State state) {
  return std::array<std::string_view, 6>{
      "queued", "running", "paid", "ready", "refused", "unanswered"}[static_cast<std::size_t>(state)];
}

Response Releases::told(const ReleaseJob& job) const {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("request", std::string_view(job.key));
  json.member("state", name_of(job.state));
  json.member("catalog", std::string_view(job.catalog));
  json.member("plan_hash", std::string_view(job.plan_hash));
  json.member("begun", job.begun);
  if (job.entry) json.member("entry", *job.entry);
  if (const auto taken = workers_.taken(job.question); taken && is_open(job.state) && slots_of(job).are_kept()) {
    json.member("ready_at",
                std::int64_t{std::time(nullptr)} + std::chrono::ceil<seconds>(slots_.after(*taken) - *taken).count());
  }
  if (job.is_stopping && is_open(job.state)) {
    json.key("stopping");
    json.boolean(true);
  }
  json.end_object();
  if (!is_open(job.state)) {  // what the worker said is JSON already
    text.pop_back();
    text += ",\"answer\":" + job.answer.body.substr(0, job.answer.body.find_last_not_of('\n') + 1) + "}";
  }
  return {is_open(job.state) ? 202 : 200, "application/json", text + "\n", {}, {}};
}

bool Releases::is_key(const std::string& key) {
  const auto is_fine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
  };
  return key.size() >= 16 && key.size() <= 64 && std::all_of(key.begin(), key.end(), is_fine);
}

Response Releases::begin(const Person& person, const std::string& key, const Wanted& wanted, const std::string& body) {
  const std::string id = id_of(person, key);
  const std::int64_t now = std::time(nullptr);
  forget_old(now);
  if (const auto known = jobs_.find(id); known != jobs_.end()) {
    const ReleaseJob& job = known->second;
    if (job.catalog != wanted.catalog || job.plan_hash != wanted.plan_hash || job.step != wanted.step) {
      return error_response(
          409, "invalid", "this key was used for another plan; nothing was spent for this one, so ask with a new key");
    }
    if (is_open(job.state) || job.state == State::ready) return told(job);
  }
  if (!person.is_local && running_of(person.name) >= most_running_of_one) {
    return error_response(
        429, "system",
        "too many of your releases are running; nothing was spent for this one, so ask again when one is ready");
  }
  if (jobs_.size() >= most_jobs)
    return error_response(503, "system", "too many releases are waited for; nothing was spent for this one");
  ReleaseJob& job = jobs_[id];
  job = {.person = person,
         .key = key,
         .catalog = wanted.catalog,
         .plan_hash = wanted.plan_hash,
         .step = wanted.step,
         .begun = now,
         .expires = now + kept_seconds};
  job.question = workers_.ask(
      person.name, question_for(job, body),
      [this, id](Ending ending, const Frame& answer) { has_ended(id, ending, answer); }, slots_of(job));
  if (workers_.stage_of(job.question) == Stage::working) runs(job);
  if (is_open(job.state)) watch(id);
  return told(job);
}

Frame Releases::question_for(const ReleaseJob& job, const std::string& body) const {
  const Slots slots = slots_of(job);
  return question_of("release", job.person,
                     {{"key", job.key},
                      {"slot", std::to_string(slots.first.count())},
                      {"longest", std::to_string(slots.longest.count())}},
                     body);
}

void Releases::runs(ReleaseJob& job) {
  job.state = State::running;
  job.running_at = Clock::now();
}

// Whether it has a worker by now, and whether it is paid for: what is asked of the ledger depends on no row.
void Releases::watch(const std::string& id) {
  loop_.after(look_every, [this, id] {
    const auto found = jobs_.find(id);
    if (found == jobs_.end() || found->second.state > State::running) return;
    ReleaseJob& job = found->second;
    if (job.state == State::queued && workers_.stage_of(job.question) != Stage::waiting) {
      runs(job);
      changed_(job);
    }
    if (job.state == State::queued || !job.step.empty()) return watch(id);
    look_up_(job, [this, id](const Response& answer) {
      note_entry(id, answer);
      watch(id);
    });
  });
}

void Releases::note_entry(const std::string& id, const Response& found) {
  const auto job = jobs_.find(id);
  if (job == jobs_.end() || !is_open(job->second.state) || found.status != 200) return;
  const nlohmann::json read = json_of(found.body);
  job->second.entry = entry_in(read.value("answer", nlohmann::json()));
  if (!job->second.entry) return;
  job->second.state = State::paid;
  changed_(job->second);
}

// What comes here has come on its slot: a worker holds its answer until then, and Workers what has died.
void Releases::has_ended(const std::string& id, Ending ending, const Frame& answer) {
  const auto job = jobs_.find(id);
  if (job == jobs_.end()) return;
  if (ending == Ending::died || ending == Ending::too_long) {  // the ledger knows whether it had paid
    return look_up_(job->second, [this, id, ending](const Response& found) { has_died(id, ending, found); });
  }
  const Response response = response_of(ending, answer);
  settle(job->second, state_of(ending, response, answer), response);
}

void Releases::has_died(const std::string& id, Ending ending, const Response& found) {
  const auto job = jobs_.find(id);
  if (job == jobs_.end()) return;
  const std::string why =
      ending == Ending::too_long ? "the run took longer than this server allows and was ended " : "the run was ended ";
  // Which step was paid for no key says, and asking for it again charges nothing twice.
  if (found.status == 404 && job->second.step.empty())
    return settle(job->second, State::refused,
                  error_response(500, "system", why + "before it was paid for; nothing was spent"));
  const nlohmann::json read = json_of(found.body);
  const bool is_known = found.status == 200 && read.is_object();
  if (is_known && read.value("state", "") == "ready")
    return settle(job->second, State::ready, {200, "application/json", read["answer"].dump(), {}, {}});
  if (is_known) job->second.entry = entry_in(read.value("answer", nlohmann::json()));
  settle(job->second, State::unanswered,
         error_response(409, "stopped",
                        why + (is_known ? "after it was paid for, and has no answer; the budget stays spent"
                                        : "and may be paid for; ask again with the same key, which is charged once")));
}

void Releases::settle(ReleaseJob& job, State state, Response answer) {
  if (job.running_at && slots_of(job).are_kept() && Clock::now() - *job.running_at > late_slots * slots_.first) {
    ++overruns_;
  }
  job.state = state;
  if (state == State::ready) job.entry = entry_in(json_of(answer.body));
  job.answer = std::move(answer);
  job.expires = std::time(nullptr) + kept_seconds;
  changed_(job);
}

std::optional<Response> Releases::state(const Person& person, const std::string& key) const {
  const auto job = jobs_.find(id_of(person, key));
  if (job == jobs_.end()) return std::nullopt;
  return told(job->second);
}

std::optional<Response> Releases::stop(const Person& person, const std::string& key, bool also_where_spent) {
  const auto found = jobs_.find(id_of(person, key));
  if (found == jobs_.end()) return std::nullopt;
  ReleaseJob& job = found->second;
  if (!is_open(job.state)) return told(job);
  if (workers_.drop(job.question)) {
    settle(job, State::refused,
           error_response(409, "stopped", "it was taken back before it was begun; nothing was spent"));
    return told(job);
  }
  if (!also_where_spent) {
    return error_response(409, "stopped",
                          "the run has begun and may be paid for, which cannot be taken back; to stop it all the same, "
                          "add ?spent=yes");
  }
  stop_run(job);
  return told(job);
}

// Whether it has ended by then is what its answer shows as well; at any other time it would tell more.
void Releases::stop_run(ReleaseJob& job) {
  const auto taken = workers_.taken(job.question);
  if (!slots_of(job).are_kept() || !taken) return workers_.stop(job.question);
  if (std::exchange(job.is_stopping, true)) return;
  loop_.after(slots_.after(*taken) + settling_time - *taken,
              [this, question = job.question] { workers_.stop(question); });
}

std::size_t Releases::running() const {
  return static_cast<std::size_t>(
      std::count_if(jobs_.begin(), jobs_.end(), [](const auto& job) { return is_open(job.second.state); }));
}

std::map<std::string, std::size_t> Releases::by_state() const {
  std::map<std::string, std::size_t> counts;
  for (State state = State::queued; state <= State::unanswered; state = State(static_cast<int>(state) + 1)) {
    counts[std::string(name_of(state))] = 0;
  }
  for (const auto& job : jobs_) ++counts[std::string(name_of(job.second.state))];
  return counts;
}

std::size_t Releases::running_of(const std::string& owner) const {
  return static_cast<std::size_t>(std::count_if(jobs_.begin(), jobs_.end(), [&](const auto& job) {
    return is_open(job.second.state) && job.second.person.name == owner;
  }));
}

void Releases::forget_old(std::int64_t now) {
  std::erase_if(jobs_, [&](const auto& job) { return !is_open(job.second.state) && job.second.expires < now; });
}

}  // namespace vernier::server
