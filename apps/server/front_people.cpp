#include <algorithm>
#include <charconv>
#include <ctime>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/front.hpp"
#include "vernier/release/record/json_in.hpp"

// What the front knows of people: sessions, tokens, how often somebody asks, who has done what, and who listens.
namespace vernier::server {
namespace {

using release::Json;

constexpr std::size_t id_digits = 12, most_audit_lines = 500;
constexpr std::chrono::seconds token_look{1};

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// What the file of tokens says now; empty where there is none yet.
Result<std::vector<Token>> tokens_of(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::vector<Token>();
  return read_tokens(file);
}

std::string state_of_file(const std::filesystem::path& file) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(file, error);
  if (error) return "";
  return fmt::format("{} {}", time.time_since_epoch().count(), std::filesystem::file_size(file, error));
}

std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Response too_early(int seconds, const std::string& sentence) {
  Response response = error_response(429, "system", sentence);
  response.headers.emplace_back("Retry-After", std::to_string(seconds));
  return response;
}

}  // namespace

// ---- sessions

Response Front::begin_session(const Request& request) {
  const std::optional<std::string> token = text_in(request.body, "token");
  if (!token) return error_response(400, "invalid", R"(send the token as {"token": "vrn_..."})");
  const auto session = access_.begin(*token, std::time(nullptr));
  if (!session) return error_response(500, "system", "no session can be begun");
  if (!*session) return wrong_token(request);
  const Access::Session& begun = **session;
  note({"begin-session", 200, begun.person.name, request.peer});
  Json told = {{"session", begun.id}, {"analyst", begun.person.name}, {"expires", begun.expires}};
  told["roles"] = role_names(begun.person.roles);
  return json_response(told.dump());
}

Response Front::wrong_token(const Request& request) {
  metrics_.count_failed_login();
  const Guesses::Count count = guesses_.add(request.peer, std::time(nullptr));
  if (count.is_noted) {
    const std::string more = count.not_noted > 0 ? fmt::format("{} more before it", count.not_noted) : "";
    note({"begin-session", 401, "", request.peer, "", more});
  }
  if (count.is_too_many) return too_early(60, "too many wrong tokens came from this address; wait a minute");
  return error_response(401, "invalid",
                        "this token is unknown or has expired; ask whoever keeps the server for another one");
}

std::optional<Response> Front::too_often(const Asked& asked) {
  if (asked.person.is_local) return std::nullopt;
  const std::optional<int> wait = rates_.wait_of(asked.person.name, asked.route->pace, seconds_now());
  if (!wait) return std::nullopt;
  return too_early(*wait, fmt::format("you ask this more often than the server allows; ask again in {} s", *wait));
}

// ---- tokens

void Front::set_tokens(std::filesystem::path file, Token start) {
  token_file_ = std::move(file);
  start_ = std::move(start);
  token_text_ = state_of_file(token_file_);
  watch_tokens();
}

// Where the file cannot be read any more, nobody of it may go on.
void Front::read_tokens_again() {
  token_text_ = state_of_file(token_file_);
  access_.replace_tokens(tokens_of(token_file_).value_or(std::vector<Token>()), start_);
  events_.end("again");
}

void Front::watch_tokens() {
  loop_.after(token_look, [this] {
    if (state_of_file(token_file_) != token_text_) read_tokens_again();
    if (!is_closing_) watch_tokens();
  });
}

Response Front::tokens() const {
  const Result<std::vector<Token>> all = tokens_of(token_file_);
  if (!all) return error_response(500, "system", all.error().sentence());
  Json list = Json::array();
  for (const Token& one : *all) {
    list.push_back({{"id", one.hash.substr(0, id_digits)},
                    {"name", one.person.name},
                    {"role", role_names(one.person.roles).front()},
                    {"expires", one.expires},
                    {"expired", one.expires <= std::time(nullptr)}});
  }
  return json_response(Json{{"tokens", list}}.dump());
}

Response Front::new_person(const Asked& asked) {
  const Result<Json> body = release::parse_strictly(asked.request.body, 4);
  const auto name = text_in(asked.request.body, "name"), role = text_in(asked.request.body, "role");
  if (!body || !name || !role || !role_named(*role)) {
    return error_response(400, "invalid", R"(send {"name": "anna", "role": "reader, analyst or steward", "days": 90})");
  }
  const Json days = body->value("days", Json(90));
  if (!days.is_number_integer() || days.get<std::int64_t>() < 1 || days.get<std::int64_t>() > 3650)
    return error_response(400, "invalid", "days must be a whole number from 1 to 3650");
  const Result<std::string> token = add_token(token_file_, *name, *role_named(*role), days.get<std::int64_t>());
  if (!token) return error_response(400, "invalid", token.error().sentence());
  note({"new-token", 200, asked.person.name, asked.request.peer, "", *name});
  read_tokens_again();
  return json_response(Json{{"token", *token}, {"name", *name}, {"role", *role}}.dump());
}

Response Front::without_token(const Asked& asked) {
  const std::string& id = asked.parameters.at("token");
  const Result<std::string> name = end_token(token_file_, id);
  if (!name) return not_there();
  note({"end-token", 200, asked.person.name, asked.request.peer, "", *name});
  read_tokens_again();
  return json_response("{\"ended\":true}");
}

// ---- who has done what

bool Front::note(const AuditLine& line) { return !audit_ || audit_->add(line).has_value(); }

Response Front::audit_lines(const Asked& asked) const {
  if (!audit_) return json_response(R"({"kept":false,"lines":[]})");
  const auto last = asked.parameters.find("last");
  const std::uint64_t count = last == asked.parameters.end() ? 100 : number_in(last->second).value_or(100);
  const auto lines = audit_->last(std::min<std::size_t>(count, most_audit_lines));
  if (!lines) return error_response(500, "system", lines.error().sentence());
  std::string text = "{\"kept\":true,\"lines\":[";
  for (const std::string& line : *lines) text += (text.back() == '[' ? "" : ",") + line;
  return json_response(text + "]}");
}

// ---- releases and who waits for them

void Front::look_up(const ReleaseJob& job, const std::function<void(const Response&)>& told) {
  quick_.ask(job.person.name,
             question_of("request-state", job.person, {{"key", job.key}, {"catalog", job.catalog}}, ""),
             [told](Ending ending, const Frame& answer) { told(response_of(ending, answer)); });
}

void Front::has_changed(const ReleaseJob& job) {
  Json told = {{"request", job.key}, {"state", name_of(job.state)}, {"catalog", job.catalog}};
  if (job.entry) told["entry"] = *job.entry;
  events_.tell(job.person.name, "release", told.dump());
  if (is_open(job.state)) return;
  note({"release-" + std::string(name_of(job.state)), job.answer.status, job.person.name, "", job.catalog, job.key,
        job.plan_hash, job.entry});
}

Response Front::events(const Asked& asked) {
  if (is_closing_) return error_response(503, "stopped", "the server is closing");
  const auto last = asked.request.header("last-event-id");
  Response response{200, "text/event-stream", "", {{"X-Accel-Buffering", "no"}}, {}};
  const std::size_t most = asked.person.is_local ? most_listeners : most_listeners_of_one;
  response.begin = [this, owner = asked.person.name, most, last](std::shared_ptr<Stream> stream) {
    events_.follow(owner, most, last ? number_in(*last) : std::nullopt, std::move(stream));
  };
  return response;
}

void Front::stop_release(const Asked& asked, const Reply& reply) {
  const auto spent = asked.parameters.find("spent");
  const bool also_where_spent = spent != asked.parameters.end() && spent->second == "yes";
  const auto stopped = releases_.stop(asked.person, asked.parameters.at("key"), also_where_spent);
  if (!stopped) return reply(not_there());
  note({"stop-release", stopped->status, asked.person.name, asked.request.peer, "", asked.parameters.at("key")});
  reply(*stopped);
}

}  // namespace vernier::server
