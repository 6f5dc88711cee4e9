#include "vernier/engine/spark/connect.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include "vernier/core/hash.hpp"
#include "vernier/engine/arrow/ipc.hpp"
#include "vernier/engine/cells.hpp"
#include "vernier/engine/engine.hpp"
#include "vernier/engine/spark/address.hpp"
#include "vernier/engine/spark/connection.hpp"
#include "vernier/engine/spark/grpc.hpp"
#include "vernier/engine/spark/protobuf.hpp"
#include "vernier/query/dialect/dialect.hpp"
#include "vernier/random/entropy.hpp"

namespace vernier::engine {
namespace {

using query::Type;
using Clock = Grpc::Clock;
using Message = ProtobufMessage;

constexpr std::chrono::seconds to_answer{60};    // what is no statement
constexpr std::chrono::seconds to_interrupt{5};  // a statement that nobody waits for
constexpr std::chrono::seconds to_say_goodbye{2};
constexpr std::size_t most_columns = 100'000;

// What statements mean, whatever the server says (docs/theory/engines.md), and answers that are not compressed.
struct Setting {
  const char* name;
  const char* value;
};
constexpr std::array settings = {
    Setting{"spark.sql.ansi.enabled", "true"},   Setting{"spark.sql.session.timeZone", "UTC"},
    Setting{"spark.sql.caseSensitive", "true"},  Setting{"spark.sql.parser.escapedStringLiterals", "false"},
    Setting{"spark.sql.groupByOrdinal", "true"}, Setting{"spark.sql.execution.arrow.compression.codec", "none"}};

// ---- numbers of fields of Spark's own messages (base.proto, relations.proto)

constexpr int of_session = 1, of_user = 2;
namespace execute {
constexpr int plan = 3, client = 4, operation = 6, batch = 2, rows = 1, data = 2, parts = 5;
}
namespace config {
constexpr int operation = 3, set = 1, get = 2, pair = 1, key = 1, value = 2, told = 2;
}
namespace interrupt {
constexpr int kind = 4, operation = 6, by_operation = 3;
}
constexpr int root_of_plan = 1, sql_of_relation = 10, query_of_sql = 1;

std::string method(const char* name) { return std::string("/spark.connect.SparkConnectService/") + name; }

// A UUID of version 4, which is what Spark takes for a name.
Result<std::string> new_name() {
  std::array<std::byte, 16> bytes{};
  VERNIER_TRY(random::KernelEntropy::read(bytes));
  bytes[6] = (bytes[6] & std::byte{0x0F}) | std::byte{0x40};
  bytes[8] = (bytes[8] & std::byte{0x3F}) | std::byte{0x80};
  const auto text = text_of_uuid({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return std::string(text->view());
}

Failure not_reached() {
  return fail(ErrorKind::system, "the server of the catalog's engine could not be reached, or is no Spark Connect",
              "see that it runs, and check the address; nothing was spent");
}

// A client of Spark Connect, behind what a session of a program is asked for.
class Client {
 public:
  explicit Client(SparkAddress address)
      : user_(std::move(address.user)), calls_(std::move(address.server), std::move(address.headers)) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  ~Client() {
    if (!session_.empty() && !calls_.is_lost()) (void)call("ReleaseSession", request(), to_say_goodbye);
  }

  // Connects, and makes a session in which statements mean what they should.
  Result<void> open() {
    VERNIER_TRY(session_, new_name());
    const Channel::State state = calls_.open(nobody_watches);
    if (state == Channel::State::untrusted) {
      return fail(ErrorKind::system, "the server of the catalog's engine has no certificate that this machine trusts",
                  "name it as its certificate does, or let SSL_CERT_FILE name the one that vouches for it; nothing was "
                  "spent");
    }
    if (state != Channel::State::open) return not_reached();
    VERNIER_TRY(set_up());
    return ask_version();
  }

  const std::string& version() const { return version_; }
  bool is_lost() const { return is_lost_ || calls_.is_lost(); }

  Result<void> renew() {
    VERNIER_TRY(open());
    is_lost_ = false;
    return {};
  }

  Result<GivenSession::Columns> columns(const query::Source& source) {
    const std::string name = "the table '" + source.told() + "' ";
    if (source.table.size() < 2 || source.table.size() > 3) {
      return invalid(name + "must be named with its schema", "write for example default.people");
    }
    const auto told = texts("DESCRIBE TABLE EXTENDED " + quoted(source), 3);
    if (!told && is_lost()) return not_reached();
    if (!told) {
      return invalid(name + "is not there, or this user may not read it",
                     "check catalog, schema and name, to the letter; nothing was spent");
    }
    return columns_of(*told, name);
  }

  Result<std::shared_ptr<const ArrowTable>> read(const std::string& sql, std::int64_t seconds,
                                                 const Progress& progress) {
    const Result<std::string> operation = new_name();
    if (!operation) return failed_run();
    const Message plan =
        Message().message(root_of_plan, Message().message(sql_of_relation, Message().text(query_of_sql, sql)));
    const Message asked =
        request().message(execute::plan, plan).text(execute::client, "vernier").text(execute::operation, *operation);
    const auto end = Clock::now() + std::chrono::seconds(seconds);
    const Grpc::Reply reply = calls_.call(method("ExecutePlan"), asked.bytes(), end, progress);
    is_lost_ = reply.came == Grpc::Came::lost || reply.code == Grpc::unavailable;
    if (reply.came == Grpc::Came::stopped || reply.came == Grpc::Came::late) end_statement(*operation);
    if (reply.came == Grpc::Came::stopped) return stopped_run();
    return reply.code == Grpc::ok ? table_of(reply.messages) : failed_run();
  }

 private:
  Message request() const {
    return Message().text(of_session, session_).message(of_user, Message().text(1, user_).text(2, user_));
  }

  Grpc::Reply call(const char* name, const Message& message, std::chrono::seconds within) {
    return calls_.call(method(name), message.bytes(), Clock::now() + within, nobody_watches);
  }

  void end_statement(const std::string& operation) {
    (void)call("Interrupt",
               request().number(interrupt::kind, interrupt::by_operation).text(interrupt::operation, operation),
               to_interrupt);
  }

  Result<void> set_up() {
    Message all, names;
    for (const Setting& one : settings) {
      all.message(config::pair, Message().text(config::key, one.name).text(config::value, one.value));
      names.text(config::pair, one.name);
    }
    VERNIER_TRY(configured(config::set, all));
    VERNIER_TRY(const std::vector<std::string> told, configured(config::get, names));
    const bool is_set = told.size() == settings.size() &&
                        std::equal(told.begin(), told.end(), settings.begin(),
                                   [](const std::string& value, const Setting& one) { return value == one.value; });
    if (is_set) return {};
    return fail(ErrorKind::system, "the server of the catalog's engine keeps other settings than statements need",
                "see that ANSI and UTC may be set for a session; nothing was spent");
  }

  // The values that it tells of settings.
  Result<std::vector<std::string>> configured(int kind, const Message& settings_or_names) {
    const Message operation = Message().message(kind, settings_or_names);
    const Grpc::Reply reply = call("Config", request().message(config::operation, operation), to_answer);
    if (reply.code == Grpc::unauthenticated || reply.code == Grpc::permission_denied) {
      return fail(ErrorKind::system, "the server of the catalog's engine asks for a token, or takes another one",
                  "write it into VERNIER_SPARK_TOKEN, and check user_id of the address; nothing was spent");
    }
    if (reply.code != Grpc::ok || reply.messages.size() != 1) return not_reached();
    const auto fields = protobuf_fields(reply.messages.front());
    if (!fields) return not_reached();
    std::vector<std::string> values;
    for (const ProtobufField& one : *fields) {
      const auto pair = one.field == config::told ? protobuf_fields(one.bytes) : std::nullopt;
      if (pair) values.emplace_back(bytes_at(*pair, config::value));
    }
    return values;
  }

  Result<void> ask_version() {
    const auto told = texts("SELECT version()", 1);
    const std::string version = told && told->size() == 1 ? told->front().front() : "";
    const bool is_known = !version.empty() && version.size() < 200 && version.front() >= '0' && version.front() <= '9';
    if (!is_known) return not_reached();
    version_ = "Spark " + version.substr(0, version.find(' '));
    return {};
  }

  // Rows of texts, of statements that read no row of a table.
  Result<std::vector<std::vector<std::string>>> texts(const std::string& sql, std::size_t columns) {
    VERNIER_TRY(const auto table, read(sql, to_answer.count(), nobody_watches));
    VERNIER_TRY(const Cells cells, cells_of(*table, std::vector<Type>(columns, Type::string), most_columns));
    std::vector<std::vector<std::string>> rows;
    for (const auto& row : cells.rows) {
      std::vector<std::string>& made = rows.emplace_back();
      for (const Cell& cell : row) made.push_back(cell ? std::get<std::string>(*cell) : "");
    }
    return rows;
  }

  static std::string quoted(const query::Source& source) {
    std::string name;
    for (const std::string& part : source.table) {
      name += (name.empty() ? "" : ".") + query::spark_dialect().identifier(part);
    }
    return name;
  }

  // Names and types, up to an empty line or one that begins with #; behind it what kind of table it is.
  static Result<GivenSession::Columns> columns_of(const std::vector<std::vector<std::string>>& told,
                                                  const std::string& name) {
    GivenSession::Columns columns;
    bool is_behind = false, is_table = false;
    for (const std::vector<std::string>& row : told) {
      is_behind = is_behind || row[0].empty() || row[0].starts_with("# ");
      if (!is_behind) columns.emplace_back(row[0], row[1]);
      if (!is_behind || row[0] != "Type") continue;
      is_table = row[1].find("VIEW") == std::string::npos;
      if (!is_table) break;
    }
    if (is_table) return columns;
    return invalid(name + "is a view, and what runs behind it is not known", "name a table; nothing was spent");
  }

  // Of batches, each a stream of its own, as many rows as they say.
  static Result<std::shared_ptr<const ArrowTable>> table_of(const std::vector<std::string>& messages) {
    std::vector<std::string> streams;
    std::uint64_t rows = 0;
    for (const std::string& message : messages) {
      const auto fields = protobuf_fields(message);
      const auto batch = fields ? protobuf_fields(bytes_at(*fields, execute::batch)) : std::nullopt;
      if (!batch || number_at(*batch, execute::parts) > 1) return failed_run();
      rows += number_at(*batch, execute::rows);
      if (const std::string_view data = bytes_at(*batch, execute::data); !data.empty()) streams.emplace_back(data);
    }
    if (streams.empty()) return failed_run();
    auto table = read_ipc(std::move(streams));
    const bool is_whole = table && static_cast<std::uint64_t>((*table)->rows()) == rows;
    return is_whole ? std::move(table) : failed_run();
  }

  static std::uint64_t number_at(const std::vector<ProtobufField>& fields, int field) {
    std::uint64_t found = 0;
    for (const ProtobufField& one : fields) {
      if (one.field == field) found = one.number;
    }
    return found;
  }

  std::string user_;
  Grpc calls_;
  std::string session_;
  std::string version_;
  bool is_lost_ = false;
};

}  // namespace

Result<std::unique_ptr<Connection>> connect_spark(const query::Engine& engine) {
  VERNIER_TRY(SparkAddress address, spark_address(engine));
  const auto client = std::make_shared<Client>(std::move(address));
  VERNIER_TRY(client->open());
  auto session = std::make_shared<GivenSession>();
  session->kind = "spark";
  session->version = client->version();
  session->columns = [=](const query::Source& source) { return client->columns(source); };
  session->read = [=](const std::string& sql, std::int64_t seconds, const Progress& progress) {
    return client->read(sql, seconds, progress);
  };
  session->is_lost = [=] { return client->is_lost(); };
  session->renew = [=] { return client->renew(); };
  return connect_given(engine, std::move(session));
}

}  // namespace vernier::engine
