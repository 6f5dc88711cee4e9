#include "server/front.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/assets.hpp"
#include "vernier/core/json_writer.hpp"
#include "vernier/core/version.hpp"
#include "vernier/release/record/json_in.hpp"

namespace vernier::server {
namespace {

using release::Json;

constexpr std::int64_t ticket_seconds = 60;
constexpr std::size_t most_tickets = 10'000, most_tickets_of_one = 100;
constexpr int most_depth = 16;
constexpr milliseconds tick{50};

std::string_view default_sentence(int status) {
  switch (status) {
    case 413:
      return "the request is too large";
    case 431:
      return "the head of the request is too large";
    default:
      return "this is no HTTP request";
  }
}

bool accepts_gzip(const Request& request) {
  return request.header("accept-encoding").value_or("").find("gzip") != std::string::npos;
}

Response wrong_method() { return error_response(405, "invalid", "this address takes another method"); }

// A document in a tab of its own: it may show itself and do nothing.
Response as_document(Response response) {
  response.headers.emplace_back("Content-Security-Policy",
                                "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:");
  return response;
}

}  // namespace

// Of an object, the text of a key.
std::optional<std::string> text_in(const std::string& body, const char* key) {
  const Result<Json> read = release::parse_strictly(body, most_depth);
  if (!read || !read->is_object() || !read->contains(key) || !(*read)[key].is_string()) return std::nullopt;
  return (*read)[key].get<std::string>();
}

Response json_response(std::string body) { return {200, "application/json", std::move(body) + "\n", {}, {}}; }

Response not_there() { return error_response(404, "invalid", "there is no such thing here, or it is not yours"); }

Response error_response(int status, std::string_view kind, const std::string& sentence) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("error");
  json.begin_object();
  json.member("kind", kind);
  json.member("problem", std::string_view(sentence));
  json.member("sentence", std::string_view(sentence));
  json.end_object();
  json.end_object();
  return {status, "application/json", text + "\n", {}, {}};
}

Frame question_of(std::string_view route, const Person& person,
                  const std::map<std::string, std::string, std::less<>>& parameters, const std::string& body) {
  Json head = {{"route", route}, {"name", person.name}, {"steward", (person.roles & stewards) != 0}};
  head["parameters"] = parameters;
  return {head.dump(-1, ' ', false, Json::error_handler_t::replace), body};
}

Response response_of(Ending ending, const Frame& answer) {
  switch (ending) {
    case Ending::too_long:
      return error_response(503, "stopped", "this takes longer than the server allows; ask for less at once");
    case Ending::died:
      return error_response(500, "system",
                            "the work ended without an answer; whoever keeps this server can look into its log");
    case Ending::full: {
      Response response = error_response(503, "system", "the server is busy; ask again in a moment");
      response.headers.emplace_back("Retry-After", "2");
      return response;
    }
    case Ending::answered:
      break;
  }
  const Json head = Json::parse(answer.head, nullptr, false);
  if (!head.is_object()) return response_of(Ending::died, {});
  return {head.value("status", 500), head.value("type", "application/json"), answer.body, {}, {}};
}

Front::Front(Loop& loop, Access access, Workers& quick, Workers& releasing, Slots slots)
    : loop_(loop),
      access_(std::move(access)),
      quick_(quick),
      releases_(
          loop, releasing, slots, [this](const auto& job, const auto& told) { look_up(job, told); },
          [this](const ReleaseJob& job) { has_changed(job); }),
      events_(loop) {}

void Front::close() {
  is_closing_ = true;
  events_.end("closing");
}

bool Front::is_idle() const { return releases_.running() == 0 && quick_.busy() == 0 && quick_.waiting() == 0; }

std::variant<Response, std::size_t> Front::admit(const Request& head) {
  if (const auto no = refusal_of(head, names_)) return finished(error_response(no->status, "invalid", no->sentence));
  const Found found = route_of(head.method, head.target);
  if (found.is_method_wrong && !found.matched) return counted(nullptr, wrong_method());
  if (!found.matched && head.method != "GET") return counted(nullptr, not_there());
  if (!found.matched) return std::size_t{0};  // a file of the page, or nothing
  const Route& route = *found.matched->route;
  if (route.roles == nobody_asked) return route.most_bytes;
  const std::optional<Person> person = person_of(head);
  if (!person)
    return counted(
        &route, error_response(
                    401, "invalid",
                    "say who you are: open the link that the server has printed, or send Authorization: Bearer TOKEN"));
  if ((person->roles & route.roles) == 0)
    return counted(&route, error_response(403, "invalid", "your role does not allow this"));
  return route.most_bytes;
}

std::optional<Person> Front::person_of(const Request& request) {
  constexpr std::string_view scheme = "Bearer ";
  const std::string value = request.header("authorization").value_or("");
  if (request.count("authorization") != 1 || value.rfind(scheme, 0) != 0) return std::nullopt;
  return access_.who(std::string_view(value).substr(scheme.size()), std::time(nullptr));
}

void Front::answer(Request request, const Reply& reply) {
  Found found = route_of(request.method, request.target);
  if (!found.matched) {
    if (auto content = page(request)) return reply(finished(*std::move(content)));
    return reply(counted(nullptr, found.is_method_wrong ? wrong_method() : not_there()));
  }
  const Route* const route = found.matched->route;
  const std::optional<Person> person = route->roles == nobody_asked ? Person{} : person_of(request);
  if (!person)
    return reply(counted(route, error_response(401, "invalid", "the session has ended; say again who you are")));
  Asked asked{route, std::move(found.matched->parameters), *person, std::move(request)};
  if (auto wait = too_often(asked)) return reply(counted(route, *std::move(wait)));
  route_to(std::move(asked), [this, route, reply](Response response) { reply(counted(route, std::move(response))); });
}

void Front::route_to(Asked asked, const Reply& reply) {
  if (asked.route->by == By::release) return release(asked, reply);
  if (asked.route->name == "publish" || asked.route->name == "unpublish") return publish(asked, reply);
  if (asked.route->roles == nobody_asked && asked.route->by == By::worker) return public_page(asked, reply);
  if (asked.route->by == By::worker) return ask_quick(asked.route->name, asked, reply);
  if (asked.route->name == "use-ticket") return use_ticket(asked, reply);
  if (asked.route->name == "stop-release") return stop_release(asked, reply);
  if (asked.route->name == "release-state") return release_state(asked, reply);
  reply(by_front(asked));
}

Response Front::by_front(const Asked& asked) {
  const std::string_view name = asked.route->name;
  if (name == "healthz") return {200, "text/plain", "ok\n", {}, {}};
  if (name == "readyz")
    return is_closing_ ? Response{503, "text/plain", "closing\n", {}, {}}
                       : Response{200, "text/plain", "ready\n", {}, {}};
  if (name == "openapi") return {200, "application/json", openapi_json(), {}, {}};
  if (name == "begin-session") return begin_session(asked.request);
  if (name == "me") return me(asked.person);
  if (name == "metrics") return metrics();
  if (name == "new-ticket") return new_ticket(asked);
  if (name == "events") return events(asked);
  if (name == "tokens") return tokens();
  if (name == "new-token") return new_person(asked);
  if (name == "end-token") return without_token(asked);
  if (name == "audit") return audit_lines(asked);
  if (name == "end-session") {
    access_.end(asked.request.header("authorization")->substr(7));
    return json_response("{\"ended\":true}");
  }
  return not_there();
}

std::optional<Response> Front::page(const Request& request) const {
  if (request.method != "GET") return std::nullopt;
  const std::string path = request.target.substr(0, request.target.find('?'));
  for (const Asset& asset : assets()) {
    if (asset.path != path) continue;
    const bool is_small = accepts_gzip(request) && !asset.compressed.empty();
    Response response{200, std::string(asset.type), std::string(is_small ? asset.compressed : asset.content), {}, {}};
    if (is_small) response.headers.emplace_back("Content-Encoding", "gzip");
    response.headers.emplace_back("Cache-Control", path == "/" ? "no-cache" : "public, max-age=31536000, immutable");
    response.headers.emplace_back("Vary", "Accept-Encoding");
    return response;
  }
  return std::nullopt;
}

Response Front::me(const Person& person) const {
  Json told = {{"analyst", person.name}, {"local", person.is_local}, {"version", version()}};
  told["roles"] = role_names(person.roles);
  return json_response(told.dump());
}

Response Front::metrics() const {
  const Gauges now{quick_.waiting(), loop_.connections(), events_.listeners(), releases_.overruns(),
                   releases_.by_state()};
  return {200, "text/plain; version=0.0.4", metrics_.text(now), {}, {}};
}

Response Front::new_ticket(const Asked& asked) {
  const auto catalog = text_in(asked.request.body, "catalog"), document = text_in(asked.request.body, "document");
  if (!catalog || !document) return error_response(400, "invalid", R"(send {"catalog": ..., "document": ...})");
  const std::int64_t now = std::time(nullptr);
  std::erase_if(tickets_, [&](const auto& one) { return one.second.expires <= now; });
  const auto of_one = std::count_if(tickets_.begin(), tickets_.end(),
                                    [&](const auto& one) { return one.second.person.name == asked.person.name; });
  const Result<std::string> id = new_token();
  if (!id || tickets_.size() >= most_tickets || static_cast<std::size_t>(of_one) >= most_tickets_of_one)
    return error_response(503, "system", "too many tickets are out; ask again in a minute");
  tickets_[*id] = {asked.person, *catalog, asked.parameters.at("release"), *document, now + ticket_seconds};
  return json_response(Json{{"path", "/ticket/" + *id}, {"expires", now + ticket_seconds}}.dump());
}

void Front::publish(const Asked& asked, const Reply& reply) {
  const std::string catalog = text_in(asked.request.body, "catalog").value_or("");
  const std::string& release = asked.parameters.at("release");
  if (!note({std::string(asked.route->name), 0, asked.person.name, asked.request.peer, catalog, release})) {
    return reply(error_response(503, "system", "the audit log cannot be written; nothing was changed"));
  }
  ask_quick(asked.route->name, asked, reply);
}

void Front::public_page(const Asked& asked, const Reply& reply) {
  if (!is_public_) return reply(not_there());
  Asked anybody = asked;
  anybody.person.name = "(anybody)";  // who wait for each other in the queue, as one person does
  ask_quick(asked.route->name, anybody, [reply](Response response) { reply(as_document(std::move(response))); });
}

void Front::use_ticket(const Asked& asked, const Reply& reply) {
  const auto found = tickets_.find(asked.parameters.at("ticket"));
  if (found == tickets_.end() || found->second.expires <= std::time(nullptr)) return reply(not_there());
  const Ticket ticket = found->second;
  tickets_.erase(found);
  Asked document{asked.route,
                 {{"catalog", ticket.catalog}, {"release", ticket.release}, {"document", ticket.document}},
                 ticket.person,
                 {}};
  ask_quick("document", document, [reply](Response response) { reply(as_document(std::move(response))); });
}

void Front::ask_quick(std::string_view route, const Asked& asked, const Reply& reply) {
  if (is_closing_) return reply(error_response(503, "stopped", "the server is closing"));
  const auto begun = std::chrono::steady_clock::now();
  const bool is_plan = route == "plan";
  quick_.ask(asked.person.name, question_of(route, asked.person, asked.parameters, asked.request.body),
             [this, reply, begun, is_plan, is_local = asked.person.is_local](Ending ending, const Frame& answer) {
               const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
               if (is_plan) metrics_.add_plan(taken.count());
               Response response = response_of(ending, answer);
               if (is_local || releases_.running() == 0) return reply(std::move(response));
               on_tick(std::chrono::duration_cast<milliseconds>(taken), std::move(response), reply);
             });
}

// A release that runs makes others' answers slower; that one runs is known until its slot, and how long it did is not.
void Front::on_tick(milliseconds taken, Response response, const Reply& reply) {
  loop_.after(tick - taken % tick, [reply, response = std::move(response)] { reply(response); });
}

void Front::release(const Asked& asked, const Reply& reply) {
  if (is_closing_) return reply(error_response(503, "stopped", "the server is closing; nothing was spent"));
  const std::string key = asked.request.header("idempotency-key").value_or("");
  if (!Releases::is_key(key)) {
    return reply(error_response(400, "invalid",
                                "a release needs an Idempotency-Key of 16 to 64 letters, digits, dots, dashes or "
                                "underlines; nothing was spent"));
  }
  const std::string& body = asked.request.body;
  const auto catalog = text_in(body, "catalog"), plan_hash = text_in(body, "plan_hash");
  if (!catalog || !plan_hash || !text_in(body, "study")) {
    return reply(
        error_response(400, "invalid", R"(send {"catalog": ..., "study": ..., "plan_hash": ...}; nothing was spent)"));
  }
  if (!note({"release", 0, asked.person.name, asked.request.peer, *catalog, key, *plan_hash})) {
    return reply(error_response(503, "system", "the audit log cannot be written; nothing was spent"));
  }
  reply(releases_.begin(asked.person, key, {*catalog, *plan_hash, text_in(body, "step").value_or("")}, body));
}

// What this process does not remember the ledger may.
void Front::release_state(const Asked& asked, const Reply& reply) {
  const std::string& key = asked.parameters.at("key");
  if (auto state = releases_.state(asked.person, key)) return reply(*std::move(state));
  if (!Releases::is_key(key) || !asked.parameters.contains("catalog")) return reply(not_there());
  ask_quick("request-state", asked, reply);
}

Response Front::refused(int status) {
  return counted(nullptr, error_response(status, "invalid", std::string(default_sentence(status))));
}

Response Front::counted(const Route* route, Response response) {
  metrics_.count(route == nullptr ? "none" : route->name, response.status);
  return finished(std::move(response));
}

Response Front::finished(Response response) const {
  if (!names_.origins.empty() && names_.origins.front().rfind("https:", 0) == 0) {
    response.headers.emplace_back("Strict-Transport-Security", "max-age=31536000");
  }
  return with_headers(std::move(response));
}

}  // namespace vernier::server
