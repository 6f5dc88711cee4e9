#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <optional>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/output.hpp"
#include "server/routes.hpp"
#include "server/worker/answers.hpp"
#include "server/worker/frame.hpp"

namespace vernier::server {
namespace {

using release::Json;
using Answer = Result<Told> (*)(const Ask&);

constexpr int most_depth = 16;
constexpr rlim_t most_memory = rlim_t{8} << 30;

// A new answer is one line here and one in routes.cpp.
constexpr std::array<std::pair<std::string_view, Answer>, 30> answers = {{
    {"catalogs", answer_catalogs},
    {"catalog", answer_catalog},
    {"calibrate", answer_question},
    {"law", answer_question},
    {"compose", answer_question},
    {"coverage", answer_coverage},
    {"plan", answer_plan},
    {"what-if", answer_what_if},
    {"counts", answer_counts},
    {"rehearse", answer_rehearse},
    {"check-study", answer_check_study},
    {"new-catalog", answer_new_catalog},
    {"check-catalog", answer_check_catalog},
    {"put-catalog", answer_put_catalog},
    {"files", answer_files},
    {"export-ledger", answer_export_ledger},
    {"verify", answer_verify},
    {"release", answer_release},
    {"request-state", answer_request_state},
    {"releases", answer_releases},
    {"document", answer_document},
    {"publish", answer_publish},
    {"unpublish", answer_unpublish},
    {"published", answer_published},
    {"published-document", answer_published_document},
    {"public", answer_published},
    {"public-document", answer_published_document},
    {"ledger", answer_ledger},
    {"history", answer_history},
    {"verify-ledger", answer_verify_ledger},
}};

bool read_all(char* to, std::size_t count) {
  while (count > 0) {
    const ssize_t got = ::read(STDIN_FILENO, to, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(const char* from, std::size_t count) {
  while (count > 0) {
    const ssize_t put = ::write(STDOUT_FILENO, from, count);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    from += put;
    count -= static_cast<std::size_t>(put);
  }
  return true;
}

std::optional<Frame> next_frame() {
  Lengths lengths{};
  if (!read_all(reinterpret_cast<char*>(lengths.data()), sizeof lengths) || !is_possible(lengths)) return std::nullopt;
  Frame frame{std::string(lengths[0], '\0'), std::string(lengths[1], '\0')};
  if (!read_all(frame.head.data(), frame.head.size()) || !read_all(frame.body.data(), frame.body.size()))
    return std::nullopt;
  return frame;
}

bool send(const Told& told) {
  const Frame frame{Json{{"status", told.status}, {"type", told.type}, {"paid", told.is_paid}}.dump(), told.body};
  const Lengths lengths = lengths_of(frame);
  return write_all(reinterpret_cast<const char*>(lengths.data()), sizeof lengths) &&
         write_all(frame.head.data(), frame.head.size()) && write_all(frame.body.data(), frame.body.size());
}

const Route* route_named(std::string_view name) {
  for (const Route& route : routes()) {
    if (route.name == name) return &route;
  }
  return nullptr;
}

std::string_view plain(std::string_view field) { return field.substr(0, field.size() - (field.back() == '?' ? 1 : 0)); }

// Only what the route names may be said: a word that nobody reads is a mistake, not to be passed over.
Result<void> check_fields(const Route& route, const Json& body) {
  for (const auto& [key, value] : body.items()) {
    bool is_known = false;
    for (const std::string_view field : route.fields) is_known = is_known || plain(field) == key;
    if (!is_known)
      return invalid("the request", "has the key '" + cli::one_line(key) + "', which nobody reads", "leave it out");
  }
  for (const std::string_view field : route.fields) {
    if (field.back() == '?' || body.contains(std::string(field))) continue;
    return invalid("the request", "has no '" + std::string(field) + "'", "send it");
  }
  return {};
}

Result<Json> body_of(const Ask& ask, const std::string& text) {
  const Route* const route = route_named(ask.route);
  if (route == nullptr || (route->method != "POST" && route->method != "PUT")) return Json::object();
  const Result<Json> read = release::parse_strictly(text, most_depth);
  if (!read) return invalid(after("the request is no JSON: ", read.error()));
  if (!read->is_object()) return invalid("the request", "must be a JSON object", "");
  VERNIER_TRY(check_fields(*route, *read));
  return *read;
}

Result<Told> answered(Ask& ask, const std::string& text) {
  VERNIER_TRY(ask.body, body_of(ask, text));
  for (const auto& [name, answer] : answers) {
    if (name == ask.route) return answer(ask);
  }
  return invalid("there is no such route");
}

// What is not for an analyst's eyes: where on this machine the catalogs lie.
void hide_root(std::string& body, const std::filesystem::path& root) {
  const std::string prefix = root.string() + "/";
  for (std::size_t at = body.find(prefix); at != std::string::npos; at = body.find(prefix, at))
    body.erase(at, prefix.size());
}

Told told_to(const Frame& frame, const std::filesystem::path& root) try {
  const Json head = Json::parse(frame.head);
  Ask ask{head.at("route"), head.at("name"), head.at("steward"), head.at("parameters"), {}, root};
  Result<Told> answer = answered(ask, frame.body);
  Told told = answer ? *std::move(answer) : told_error(status_of(answer.error()), answer.error());
  if (!ask.is_steward && told.type == "application/json") hide_root(told.body, root);
  return told;
} catch (const std::exception&) {
  return told_error(500, {ErrorKind::system, "the server failed at this request; it is not known why"});
}

// No other program, and no picture of this memory on a disk.
void restrict_process() {
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

// Of a release: what is paid for is finished where the server ends, which says so by SIGTERM (pause_for).
void restrict_release() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
}

// Of a question, which has its end with the front and in memory. A release has neither: it finishes what is paid for,
// and takes what its data needs.
void restrict_question() {
  const rlimit memory{most_memory, most_memory};
  ::setrlimit(RLIMIT_AS, &memory);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

}  // namespace

Result<std::string> Ask::text(std::string_view key) const {
  const auto found = body.find(std::string(key));
  if (found != body.end() && found->is_string()) return found->get<std::string>();
  return invalid("the request", "has no text '" + std::string(key) + "'", "send it");
}

Result<std::string> Ask::parameter_of(std::string_view key) const {
  const auto found = parameters.find(key);
  if (found != parameters.end()) return found->second;
  return invalid("the address", "has no '" + std::string(key) + "'", "add it, as in ?" + std::string(key) + "=...");
}

Told told_error(int status, const Error& error) {
  std::string text;
  JsonWriter json(text);
  cli::write_error(json, error, plain_spelling);
  return {status, "application/json", text + "\n"};
}

int status_of(const Error& error) {
  if (error.kind == ErrorKind::invalid) return 400;
  return error.kind == ErrorKind::stopped ? 503 : 500;
}

int work(const std::vector<std::string>& words) {
  if (words.size() != 2) return 2;
  restrict_process();
  words[0] == "quick" ? restrict_question() : restrict_release();
  while (const std::optional<Frame> frame = next_frame()) {
    if (!send(told_to(*frame, words[1]))) break;
  }
  return 0;
}

}  // namespace vernier::server
