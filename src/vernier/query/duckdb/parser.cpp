#include "vernier/query/duckdb/parser.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <duckdb.h>
#include <pthread.h>

namespace vernier::query {
namespace {

constexpr std::size_t stack_size = std::size_t{8} << 20;  // the parser was seen to need more than half a MiB

Failure unavailable() {
  return fail(ErrorKind::system, "the SQL parser does not work", "try again, or restart the program");
}

// An empty database in memory that reads no file and loads nothing.
class Parser {
 public:
  Parser() {
    duckdb_config config = nullptr;
    if (duckdb_create_config(&config) != DuckDBSuccess) return;
    constexpr std::array<std::pair<const char*, const char*>, 7> settings{{{"autoinstall_known_extensions", "false"},
                                                                           {"autoload_known_extensions", "false"},
                                                                           {"allow_community_extensions", "false"},
                                                                           {"enable_external_access", "false"},
                                                                           {"threads", "1"},
                                                                           {"memory_limit", "1GB"},
                                                                           {"lock_configuration", "true"}}};
    bool set = true;
    for (const auto& [name, value] : settings) set = set && duckdb_set_config(config, name, value) == DuckDBSuccess;
    if (set && duckdb_open_ext(nullptr, &database_, config, nullptr) == DuckDBSuccess) prepare();
    duckdb_destroy_config(&config);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() {
    duckdb_destroy_prepare(&statement_);
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }

  // None where DuckDB failed to answer.
  std::optional<std::string> answer(std::string_view sql) {
    if (!ready_ || duckdb_clear_bindings(statement_) != DuckDBSuccess ||
        duckdb_bind_varchar_length(statement_, 1, sql.data(), sql.size()) != DuckDBSuccess) {
      return std::nullopt;
    }
    duckdb_result result{};
    const bool executed = duckdb_execute_prepared(statement_, &result) == DuckDBSuccess;
    char* const text = executed ? duckdb_value_varchar(&result, 0, 0) : nullptr;
    std::optional<std::string> json = text == nullptr ? std::nullopt : std::optional<std::string>(text);
    duckdb_free(text);
    duckdb_destroy_result(&result);
    return json;
  }

 private:
  void prepare() {
    ready_ = duckdb_connect(database_, &connection_) == DuckDBSuccess &&
             duckdb_prepare(connection_, "SELECT json_serialize_sql($1::VARCHAR)", &statement_) == DuckDBSuccess;
  }

  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  duckdb_prepared_statement statement_ = nullptr;
  bool ready_ = false;
};

// Parsers that wait for work. Each statement has one to itself while it is parsed, so that nobody waits for another's.
class IdleParsers {
 public:
  std::unique_ptr<Parser> take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return nullptr;
    std::unique_ptr<Parser> parser = std::move(idle_.back());
    idle_.pop_back();
    return parser;
  }

  void give_back(std::unique_ptr<Parser> parser) {
    const std::scoped_lock lock(mutex_);
    if (idle_.size() < most_idle) idle_.push_back(std::move(parser));
  }

 private:
  static constexpr std::size_t most_idle = 8;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Parser>> idle_;
};

// A parser that failed is thrown away, and the next statement gets a new one. Idle ones are left to the end of the
// process: at its exit DuckDB has taken down what a database needs to be closed.
std::optional<std::string> answer_of_a_parser(std::string_view sql) {
  static IdleParsers& parsers = *new IdleParsers;
  std::unique_ptr<Parser> parser = parsers.take();
  if (!parser) parser = std::make_unique<Parser>();
  std::optional<std::string> answer = parser->answer(sql);
  if (answer) parsers.give_back(std::move(parser));
  return answer;
}

struct Task {
  std::string_view sql;
  std::optional<std::string> answer;
};

void* work(void* argument) {
  auto* const task = static_cast<Task*>(argument);
  try {
    task->answer = answer_of_a_parser(task->sql);
  } catch (...) {  // memory ran out: there is no answer
    task->answer.reset();
  }
  return nullptr;
}

// Whether the work was done, on a thread with the stack that it needs.
bool run_on_large_stack(Task& task) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread{};
  const bool started =
      pthread_attr_setstacksize(&attributes, stack_size) == 0 && pthread_create(&thread, &attributes, work, &task) == 0;
  pthread_attr_destroy(&attributes);
  return started && pthread_join(thread, nullptr) == 0;
}

}  // namespace

Result<std::string> parsed(std::string_view sql) {
  Task task{sql, std::nullopt};
  if (!run_on_large_stack(task) || !task.answer) return unavailable();
  return std::move(*task.answer);
}

}  // namespace vernier::query
