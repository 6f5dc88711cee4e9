#include "vernier/ledger/postgresql/connection.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "vernier/ledger/postgresql/store.hpp"

namespace vernier::ledger::postgresql {
namespace {

struct Meaning {
  std::string_view state;      // an SQLSTATE, or the beginning of some
  std::string_view predicate;  // "the ledger 'x' ..."
};

constexpr std::string_view lost =
    "lost the connection to its server; whether the last step was written shows when it is opened again";

constexpr std::array meanings = {
    Meaning{"55P03", "was held by another process for 30 seconds; see which one hangs, then try again"},
    Meaning{"23514", "refused by itself what is more than is left of its budget, or is no cost; nothing was written"},
    Meaning{"23001",
            "refused by itself what does not follow its last entry or changes a former one; nothing was written"},
    Meaning{"23505", "has an entry or a document of that release or request already; nothing was written"},
    Meaning{"23", "refused by itself what breaks one of its rules; nothing was written"},
    Meaning{"22021", "takes no text that is not UTF-8; nothing was written"},
    Meaning{"25P02", "was not written, since a part of it was refused before"},
    Meaning{"25006",
            "may not be written, since its server is a copy that is only read; name the server that it copies"},
    Meaning{"42501",
            "may not be read or written by this user; ask the owner of its tables for SELECT and INSERT on all of "
            "them and UPDATE on vernier_tally"},
    Meaning{"42P01",
            "does not exist in the schema of its address; check the address, or begin it with a first release"},
    Meaning{"3F000", "names a schema that does not exist; make it with CREATE SCHEMA, or name another"},
    Meaning{"53100", "could not be written, since the disk of its server is full; make room, then open it again"},
    Meaning{"53", "could not be served, since its server has no room for more; try again later"},
    Meaning{"58", "could not be read or written by its server; check its disk, then open it again"},
    Meaning{"XX", "is damaged, or its server is; keep it as it is, and go on from a copy that is as recent"},
    Meaning{"57P", lost},
    Meaning{"08", lost},
};

std::string predicate_of(std::string_view state) {
  for (const Meaning& meaning : meanings) {
    if (state.starts_with(meaning.state)) return std::string(meaning.predicate);
  }
  return "failed on its server (SQLSTATE " + std::string(state) + "); look into the log of the server";
}

// libpq would print what servers remark.
void ignore(void*, const char*) {}

}  // namespace

std::int64_t Answer::number(int row, int column) const {
  std::uint64_t value = 0;
  for (const char byte : text(row, column)) value = value << 8 | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(value);
}

std::int64_t Answer::changes() const {
  const std::string_view count = PQcmdTuples(result_.get());
  std::int64_t changes = 0;
  std::from_chars(count.data(), count.data() + count.size(), changes);
  return changes;
}

std::string_view Answer::state() const {
  const char* state = PQresultErrorField(result_.get(), PG_DIAG_SQLSTATE);
  return state == nullptr ? std::string_view() : state;
}

Parameter::Parameter(std::int64_t value) : value_(std::to_string(value)), is_binary_(false) {}

Failure Connection::refused(std::string_view predicate) const {
  return fail(ErrorKind::system, "the ledger '" + ledger_ + "' " + std::string(predicate));
}

Result<Answer> Connection::checked(PGresult* result) const {
  Answer answer(result);
  if (answer.status() == PGRES_COMMAND_OK || answer.status() == PGRES_TUPLES_OK) return answer;
  if (is_lost()) return refused(lost);
  return refused(predicate_of(answer.state()));
}

Result<Connection> Connection::open(const std::string& address, const std::string& ledger) {
  // What stands before the address may be said otherwise in it, what stands after it may not.
  const std::array<const char*, 5> keys = {"connect_timeout", "dbname", "client_encoding", "fallback_application_name",
                                           nullptr};
  const std::array<const char*, 5> values = {"10", address.c_str(), "UTF8", "vernier", nullptr};
  Connection connection(Handle(PQconnectdbParams(keys.data(), values.data(), 1)), ledger);
  PQsetNoticeProcessor(connection.handle_.get(), ignore, nullptr);
  if (connection.is_lost()) {
    return connection.refused(PQconnectionNeedsPassword(connection.handle_.get()) == 1
                                  ? "asks for a password; write one into a password file (~/.pgpass) or into PGPASSWORD"
                                  : "could not be reached or lets nobody in; see that its server runs, and check "
                                    "address, user and password");
  }
  VERNIER_TRY(
      connection.run("SET synchronous_commit = on; SET lock_timeout = '30s'; SET tcp_keepalives_idle = 30; "
                     "SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"));
  return connection;
}

Result<Answer> Connection::run(const std::string& sql) const { return checked(PQexec(handle_.get(), sql.c_str())); }

Result<void> Connection::prepare(const std::string& name, const std::string& sql) const {
  VERNIER_TRY(checked(PQprepare(handle_.get(), name.c_str(), sql.c_str(), 0, nullptr)));
  return {};
}

Result<Answer> Connection::execute(const char* name, const std::vector<Parameter>& parameters) const {
  std::vector<const char*> values;
  std::vector<int> lengths;
  std::vector<int> formats;
  for (const Parameter& parameter : parameters) {
    values.push_back(parameter.value().c_str());
    lengths.push_back(static_cast<int>(parameter.value().size()));
    formats.push_back(parameter.is_binary() ? 1 : 0);
  }
  return checked(PQexecPrepared(handle_.get(), name, static_cast<int>(parameters.size()), values.data(), lengths.data(),
                                formats.data(), 1));
}

namespace {

using Options = std::map<std::string, std::string>;

Failure unreadable() {
  return invalid("the address of the ledger cannot be read",
                 "write postgresql://USER:PASSWORD@HOST/DATABASE, in the password %40 "
                 "for "
                 "an @ and %2F for a /, or leave the password to a password file");
}

Result<Options> options_in(const std::string& address) {
  char* problem = nullptr;  // may quote the password, so nobody sees it
  PQconninfoOption* const parsed = PQconninfoParse(address.c_str(), &problem);
  if (problem != nullptr) PQfreemem(problem);
  if (parsed == nullptr) return unreadable();
  Options options;
  for (const PQconninfoOption* option = parsed; option->keyword != nullptr; ++option) {
    if (option->val != nullptr) options[option->keyword] = option->val;
  }
  PQconninfoFree(parsed);
  return options;
}

// An @ or a / that was not written as %40 or %2F cuts a password into parts that look like a host, a port or a
// database.
bool may_show_password(const Options& options) {
  const auto has = [&](const char* key, const auto& wrong) {
    const auto found = options.find(key);
    return found != options.end() && std::any_of(found->second.begin(), found->second.end(), wrong);
  };
  const auto is_at = [](char c) { return c == '@'; };
  const auto is_no_port = [](char c) { return (c < '0' || c > '9') && c != ','; };
  return has("host", is_at) || has("dbname", is_at) || has("user", is_at) || has("port", is_no_port);
}

std::string value_of(const Options& options, const char* key) {
  const auto found = options.find(key);
  return found == options.end() ? std::string() : found->second;
}

// "-csearch_path=x" is told, other options are not.
std::string search_path_of(const Options& options) {
  const std::string text = value_of(options, "options");
  const std::string_view setting = "search_path=";
  const std::size_t at = text.find(setting);
  if (at == std::string::npos) return "";
  const std::size_t start = at + setting.size();
  return "?options=-csearch_path%3D" + text.substr(start, text.find_first_of(" \\", start) - start);
}

}  // namespace

Result<std::string> name_of_address(const std::string& address) {
  VERNIER_TRY(const Options options, options_in(address));
  if (may_show_password(options)) return unreadable();
  std::string name = "postgresql://";
  if (const std::string user = value_of(options, "user"); !user.empty()) name.append(user).append("@");
  name.append(value_of(options, options.contains("host") ? "host" : "hostaddr"));
  if (const std::string port = value_of(options, "port"); !port.empty()) name.append(":").append(port);
  if (const std::string database = value_of(options, "dbname"); !database.empty()) name.append("/").append(database);
  return name + search_path_of(options);
}

}  // namespace vernier::ledger::postgresql

namespace vernier::ledger {

std::string name_of_postgresql(const std::string& address) {
  return postgresql::name_of_address(address).value_or("postgresql://");
}

}  // namespace vernier::ledger
