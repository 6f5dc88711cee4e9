#include <cstdint>

#include <arrow-adbc/adbc.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

// In DuckDB's static library; duckdb.h does not declare it.
extern "C" AdbcStatusCode duckdb_adbc_init(int version, void* driver, AdbcError* error);

namespace vernier {
namespace {

using Init = AdbcStatusCode (*)(int version, void* driver, AdbcError* error);

// An ADBC driver with one open database, connection and statement, released in reverse.
class Session {
 public:
  explicit Session(Init init) {
    require(init(ADBC_VERSION_1_1_0, &driver_, &error_));
    require(driver_.DatabaseNew(&database_, &error_));
    require(driver_.DatabaseInit(&database_, &error_));
    require(driver_.ConnectionNew(&connection_, &error_));
    require(driver_.ConnectionInit(&connection_, &database_, &error_));
    require(driver_.StatementNew(&connection_, &statement_, &error_));
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    require(driver_.StatementRelease(&statement_, &error_));
    require(driver_.ConnectionRelease(&connection_, &error_));
    require(driver_.DatabaseRelease(&database_, &error_));
    if (driver_.release != nullptr) require(driver_.release(&driver_, &error_));  // optional
  }

  ArrowArrayStream query(const char* sql) {
    ArrowArrayStream stream{};
    require(driver_.StatementSetSqlQuery(&statement_, sql, &error_));
    require(driver_.StatementExecuteQuery(&statement_, &stream, nullptr, &error_));
    return stream;
  }

 private:
  void require(AdbcStatusCode status) const {
    EXPECT_EQ(status, ADBC_STATUS_OK) << (error_.message == nullptr ? "" : error_.message);
  }

  AdbcDriver driver_{};
  AdbcDatabase database_{};
  AdbcConnection connection_{};
  AdbcStatement statement_{};
  AdbcError error_{};
};

TEST(Engines, DuckDbIsLinkedInAndAnswersThroughAdbc) {
  Session session(duckdb_adbc_init);
  ArrowArrayStream stream = session.query("SELECT 6 * 7 AS answer");
  ASSERT_NE(stream.get_next, nullptr);
  ArrowArray batch{};
  ASSERT_EQ(stream.get_next(&stream, &batch), 0);
  ASSERT_EQ(batch.length, 1);
  ASSERT_EQ(batch.n_children, 1);
  EXPECT_EQ(static_cast<const std::int32_t*>(batch.children[0]->buffers[1])[0], 42);
  batch.release(&batch);
  stream.release(&stream);
}

TEST(Engines, PostgresqlDriverLoadsAndInitialises) {
  void* const library = dlopen(POSTGRESQL_DRIVER, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto init = reinterpret_cast<Init>(dlsym(library, "AdbcDriverInit"));
  ASSERT_NE(init, nullptr) << dlerror();
  AdbcDriver driver{};
  AdbcError error{};
  ASSERT_EQ(init(ADBC_VERSION_1_1_0, &driver, &error), ADBC_STATUS_OK);
  EXPECT_NE(driver.ConnectionGetTableSchema, nullptr);
  if (driver.release != nullptr) driver.release(&driver, &error);  // optional
}

}  // namespace
}  // namespace vernier
