#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "support/duckdb_session.hpp"
#include "vernier/query/quote.hpp"

// A statement over a compressed file costs about what the engine's own reader takes for the same columns, by CPU time
// of all threads. The bound leaves room for a busy machine; docs/speed.md has what it is on a quiet one.
namespace vernier::engine {
namespace {

using testing::DataFolder;
using testing::session_of;
using testing::statistic_of;

constexpr double most = 1.1;
constexpr int rounds = 3;

std::string csv_type(const std::string& name) { return name == "region" || name == "note" ? "'VARCHAR'" : "'BIGINT'"; }

std::string columns_of_file() {
  std::string types;
  for (const std::string name : {"who", "region", "income", "note"})
    types += (types.empty() ? "" : ", ") + ("'" + name + "': " + csv_type(name));
  return "{" + types + "}";
}

std::string name_of(const std::string& ending, int round) { return std::to_string(round) + ".csv." + ending; }

void write_files(const DataFolder& folder, const std::string& ending) {
  testing::DuckDbSession engine;
  const std::string path = folder.path(name_of(ending, 0)).string();
  const auto written = engine.run(
      "COPY (SELECT i AS who, CASE hash(i) % 4 WHEN 0 THEN 'north' WHEN 1 THEN 'south' WHEN 2 THEN 'east' ELSE 'west' "
      "END AS region, hash(i * 3) % 200000 AS "
      "income, 'note ' || hash(i * 5) % 1000000 || ' of this row' AS note FROM range(400000) t(i)) TO " +
      query::quoted_text(path) + " (FORMAT csv, HEADER, COMPRESSION " + (ending == "gz" ? "gzip" : "zstd") + ")");
  ASSERT_TRUE(written) << engine.error();
  for (int round = 1; round < rounds; ++round) std::filesystem::copy_file(path, folder.path(name_of(ending, round)));
}

double cpu_of(const std::function<void()>& work) {
  const auto now = [] {
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

double of_ours(const DataFolder& folder, const std::string& file) {
  const std::string table = "[tables.t]\nsource = \"" + file + R"("
unit = "row"
[tables.t.columns]
region = { type = "string", keys = ["north", "south", "east", "west"] }
income = { type = "integer", lower = 0, upper = 200000 }
)";
  return cpu_of([&] {
    const auto statistic =
        statistic_of("SELECT region, COUNT(*) AS n, SUM(income) AS s FROM t GROUP BY region", "", table);
    const auto session = session_of(folder.catalog(table));
    EXPECT_TRUE(session != nullptr &&
                session->run(plan::render(statistic, session->form(statistic)), {1, 2}, nobody_watches));
  });
}

double of_the_engine(const DataFolder& folder, const std::string& file) {
  testing::DuckDbSession engine;
  return cpu_of([&] {
    EXPECT_TRUE(engine.run("SELECT region, count(*), sum(income) FROM read_csv(" +
                           query::quoted_text(folder.path(file).string()) +
                           ", header = true, columns = " + columns_of_file() + ") GROUP BY region"))
        << engine.error();
  });
}

// A file that was changed just now is unpacked at every opening, since its times may not tell of the next change.
void wait_until_times_tell() { std::this_thread::sleep_for(std::chrono::milliseconds(2100)); }

class SlowPackedSpeed : public ::testing::TestWithParam<const char*> {};

TEST_P(SlowPackedSpeed, IsAboutThatOfTheEnginesOwnReader) {
  const DataFolder folder;
  ASSERT_NO_FATAL_FAILURE(write_files(folder, GetParam()));
  wait_until_times_tell();
  double ours = 1e9, engines = 1e9;
  for (int round = 0; round < rounds; ++round) {
    ours = std::min(ours, of_ours(folder, name_of(GetParam(), round)));
    engines = std::min(engines, of_the_engine(folder, name_of(GetParam(), round)));
  }
  RecordProperty("ratio", std::to_string(ours / engines));
  EXPECT_LE(ours, most * engines) << ours << " s of " << engines << " s";
}

INSTANTIATE_TEST_SUITE_P(Endings, SlowPackedSpeed, ::testing::Values("gz", "zst"));

}  // namespace
}  // namespace vernier::engine
