#include "vernier/engine/duckdb_statement.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "vernier/engine/duckdb_groups.hpp"

namespace vernier::engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_reports{50};
constexpr std::chrono::microseconds short_wait{200};

Failure failed() { return fail(ErrorKind::system, run_failed); }

struct Prepared {
  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  ~Prepared() { duckdb_destroy_prepare(&handle); }
  duckdb_prepared_statement handle = nullptr;
};

struct Pending {
  Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() { duckdb_destroy_pending(&handle); }
  duckdb_pending_result handle = nullptr;
};

struct Answer {
  Answer() = default;
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;
  ~Answer() { duckdb_destroy_result(&handle); }
  duckdb_result handle{};
};

// Tells at most every 50 ms how far the statement is, and never less than before.
class Watch {
 public:
  Watch(duckdb_connection connection, const Progress& progress) : connection_(connection), progress_(progress) {}

  // Whether to go on.
  bool look() {
    const Clock::time_point now = Clock::now();
    if (now < next_) return true;
    next_ = now + between_reports;
    done_ = std::max(done_, std::clamp(duckdb_query_progress(connection_).percentage / 100, 0.0, 1.0));
    return progress_(done_);
  }

 private:
  duckdb_connection connection_;
  const Progress& progress_;
  Clock::time_point next_ = Clock::now() + between_reports;
  double done_ = 0;
};

bool bind(duckdb_prepared_statement statement, const plan::Sql& sql, const Secret& secret) {
  if (!sql.has_secret) return true;
  return duckdb_bind_int64(statement, 1, secret[0]) == DuckDBSuccess &&
         duckdb_bind_int64(statement, 2, secret[1]) == DuckDBSuccess;
}

enum class End : std::uint8_t { ready, failed, stopped };

// This thread works on the statement as those of the engine do, and looks up between two pieces of work.
End work(duckdb_pending_result pending, duckdb_connection connection, const Progress& progress) {
  Watch watch(connection, progress);
  bool stopped = false;
  while (true) {
    const duckdb_pending_state state = duckdb_pending_execute_task(pending);
    if (state == DUCKDB_PENDING_ERROR) return stopped ? End::stopped : End::failed;
    if (state == DUCKDB_PENDING_RESULT_READY) return stopped ? End::stopped : End::ready;
    if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) std::this_thread::sleep_for(short_wait);
    if (stopped || watch.look()) continue;
    stopped = true;
    duckdb_interrupt(connection);
  }
}

// The answer of a statement that runs to its end.
Result<void> execute(duckdb_connection connection, const plan::Sql& sql, const Secret& secret, const Progress& progress,
                     Answer& answer) {
  if (!progress(0)) return fail(ErrorKind::system, run_stopped);
  Prepared statement;
  Pending pending;
  if (duckdb_prepare(connection, sql.text.c_str(), &statement.handle) != DuckDBSuccess ||
      !bind(statement.handle, sql, secret) ||
      duckdb_pending_prepared(statement.handle, &pending.handle) != DuckDBSuccess) {
    return failed();
  }
  const End end = work(pending.handle, connection, progress);
  if (end == End::stopped) return fail(ErrorKind::system, run_stopped);
  if (end == End::failed || duckdb_execute_pending(pending.handle, &answer.handle) != DuckDBSuccess) return failed();
  return {};
}

}  // namespace

Result<RawAggregates> run_statement(duckdb_connection connection, const plan::Sql& sql, const Secret& secret,
                                    const Progress& progress) {
  Answer answer;
  VERNIER_TRY(execute(connection, sql, secret, progress, answer));
  std::optional<std::vector<RawGroup>> groups = read_groups(answer.handle, sql);
  if (!groups) return failed();
  progress(1);
  return RawAggregates(*std::move(groups));
}

Result<void> run_through(duckdb_connection connection, const std::string& sql, const Progress& progress) {
  Answer ignored;
  return execute(connection, {sql, false, false, {}, 0}, {}, progress, ignored);
}

}  // namespace vernier::engine
