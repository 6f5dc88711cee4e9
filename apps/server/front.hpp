#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "server/access/access.hpp"
#include "server/access/guard.hpp"
#include "server/access/guesses.hpp"
#include "server/access/rates.hpp"
#include "server/audit/audit.hpp"
#include "server/events.hpp"
#include "server/http/http.hpp"
#include "server/metrics/metrics.hpp"
#include "server/releases.hpp"
#include "server/routes.hpp"
#include "server/worker/workers.hpp"

namespace vernier::server {

// An error as every route tells it: {"error": {"kind", "problem", "sentence"}}.
Response error_response(int status, std::string_view kind, const std::string& sentence);

// The process with the sockets. It checks who asks and how much they send, and hands the rest to workers: no catalog,
// ledger or data file is opened here.
class Front : public Site {
 public:
  Front(Loop& loop, Access access, Workers& quick, Workers& releasing, Slots slots);

  void set_names(Names names) { names_ = std::move(names); }
  // Whether what was published is for everybody, without a token.
  void set_public(bool is_public) { is_public_ = is_public; }
  void set_audit(Audit audit) { audit_.emplace(std::move(audit)); }
  // Where tokens of people are kept: read again whenever the file changes, so that who is taken out is out.
  void set_tokens(std::filesystem::path file, Token start);
  void read_tokens_again();
  // From here on nothing new is begun.
  void close();
  bool is_idle() const;

  std::variant<Response, std::size_t> admit(const Request& head) override;
  void answer(Request request, const Reply& reply) override;
  Response refused(int status) override;

 private:
  struct Asked {
    const Route* route;
    std::map<std::string, std::string, std::less<>> parameters;
    Person person;
    Request request;
  };
  struct Ticket {
    Person person;
    std::string catalog, release, document;
    std::int64_t expires;
  };

  std::optional<Response> page(const Request& request) const;
  std::optional<Person> person_of(const Request& request);
  void route_to(Asked asked, const Reply& reply);
  Response by_front(const Asked& asked);
  Response begin_session(const Request& request);
  Response wrong_token(const Request& request);
  Response me(const Person& person) const;
  Response tokens() const;
  Response new_person(const Asked& asked);
  Response without_token(const Asked& asked);
  Response audit_lines(const Asked& asked) const;
  Response events(const Asked& asked);
  void stop_release(const Asked& asked, const Reply& reply);
  void look_up(const ReleaseJob& job, const std::function<void(const Response&)>& told);
  void has_changed(const ReleaseJob& job);
  std::optional<Response> too_often(const Asked& asked);
  bool note(const AuditLine& line);
  void watch_tokens();
  Response metrics() const;
  Response new_ticket(const Asked& asked);
  void publish(const Asked& asked, const Reply& reply);
  void public_page(const Asked& asked, const Reply& reply);
  void use_ticket(const Asked& asked, const Reply& reply);
  void by_worker(const Asked& asked, const Reply& reply);
  void release(const Asked& asked, const Reply& reply);
  void release_state(const Asked& asked, const Reply& reply);
  void ask_quick(std::string_view route, const Asked& asked, const Reply& reply);
  void on_tick(milliseconds taken, Response response, const Reply& reply);
  Response finished(Response response) const;
  Response counted(const Route* route, Response response);

  Loop& loop_;
  Access access_;
  Workers& quick_;
  Releases releases_;
  Names names_;
  bool is_closing_ = false;
  bool is_public_ = false;
  std::map<std::string, Ticket, std::less<>> tickets_;
  Guesses guesses_;
  Metrics metrics_;
  Events events_;
  Rates rates_;
  std::optional<Audit> audit_;
  std::filesystem::path token_file_;
  Token start_;
  std::string token_text_;
};

// Those of both files of the front.
Response json_response(std::string body);
Response not_there();
std::optional<std::string> text_in(const std::string& body, const char* key);

// What a worker is asked, and what its answer is to whoever waits.
Frame question_of(std::string_view route, const Person& person,
                  const std::map<std::string, std::string, std::less<>>& parameters, const std::string& body);
Response response_of(Ending ending, const Frame& answer);

}  // namespace vernier::server
