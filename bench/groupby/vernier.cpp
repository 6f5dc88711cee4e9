// Vernier from catalog and study to the released numbers: reading, planning, the ledger on disk, the engine, noise and
// intervals. bench_groupby_vernier FILE UNIT MAX_GROUPS, where UNIT is "row" or "user_id".
#include <filesystem>
#include <fstream>
#include <string>

#include <stdlib.h>

#include "bench/groupby/answer.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/engine/duckdb/session.hpp"
#include "vernier/ledger/sqlite/store.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/problem.hpp"
#include "vernier/release/release.hpp"

namespace {

using bench::need;
using bench::NotMeasured;
using namespace vernier;
namespace fs = std::filesystem;

// A folder of its own for catalog, study and ledger, gone at the end.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "vernier-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw NotMeasured("no folder can be made in " + fs::temp_directory_path().string());
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  fs::path write(const char* name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }
  fs::path file(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string region_keys() {
  std::string keys;
  for (int i = 0; i < 50; ++i) keys += "\"region_" + std::to_string(100 + i).substr(1) + "\", ";
  return keys;
}

std::string catalog_text(const std::string& file, const std::string& unit) {
  return R"(
[budget]
epsilon = 1
delta = 1e-6
ledger = "people.ledger"
[tables.people]
source = ")" +
         fs::absolute(file).string() + R"("
unit = ")" +
         unit + R"("
[tables.people.columns]
user_id = { type = "integer" }
region = { type = "string", keys = [)" +
         region_keys() + R"(] }
age = { type = "integer" }
income = { type = "real", lower = 0, upper = 200000 }
)";
}

std::string study_text(const std::string& unit, const std::string& max_groups) {
  const std::string bounds = unit == "row" ? "" : "max_groups = " + max_groups + "\nmax_rows = 10\n";
  return R"(
catalog = "catalog.toml"
budget = { epsilon = 1.0, delta = 1e-6 }
[[statistic]]
name = "incomes"
sql = "SELECT region, COUNT(*) AS n, SUM(income) AS total, AVG(income) AS mean FROM people GROUP BY region"
)" + bounds;
}

// Reads the file through, as the first release of it does, and remembers that.
void look_through(const fs::path& catalog_path, const release::TableMarks& marks) {
  const query::Catalog catalog = need(query::read_catalog(catalog_path));
  const auto session = need(engine::open_duckdb(catalog, catalog.tables, {.threads = bench::groupby::threads}));
  const std::string state = session->state_of("people");
  need(session->look_through("people", nobody_watches));
  marks.remember("people", state);
}

release::Release publish(const fs::path& study_path, const fs::path& ledger_path, const release::TableMarks& marks) {
  const query::Study study = need(query::read_study(study_path));
  const query::Catalog catalog = need(query::read_catalog(study.catalog));
  const query::Query asked = need(query::read_query(study.statistics.front().sql, catalog));
  const plan::Plan plan = need(plan::allocate(need(plan::bind(study, catalog, {asked}))));
  const query::Table& table = plan.study.statistics.front().table;
  need(engine::check_source(catalog, table));
  const auto session = need(engine::open_duckdb(catalog, {table}, {.threads = bench::groupby::threads}));
  auto ledger =
      need(ledger::Ledger::open(need(ledger::open_sqlite(ledger_path, ledger::Missing::is_made)),
                                {ledger::Accountant::zcdp, catalog.budget.epsilon, catalog.budget.delta}, {}));
  random::Source* const source = need(random::thread_source());
  return need(release::run(
      plan, *session, *ledger, *source,
      {.study = "bench", .catalog_hash = need(sha256(need(query::read_text_file(study.catalog)))), .marks = marks}));
}

bench::groupby::Totals totals_of(const release::Release& release) {
  bench::groupby::Totals totals;
  for (const release::Row& row : release.tables.front().rows) {
    totals.add(row.numbers[0].value, row.numbers[1].value, row.numbers[2].value);
  }
  return totals;
}

void measure(const std::string& file, const std::string& unit, const std::string& max_groups) {
  const Folder folder;
  const fs::path catalog = folder.write("catalog.toml", catalog_text(file, unit));
  const fs::path study = folder.write("study.toml", study_text(unit, max_groups));
  const release::TableMarks marks(folder.file("people.ledger.tables"), "");
  look_through(catalog, marks);
  const bench::groupby::WallClock clock;
  const release::Release release = publish(study, folder.file("people.ledger"), marks);
  const double seconds = clock.seconds();
  totals_of(release).print(seconds);
}

}  // namespace

int main(int count, char** words) {
  return bench::groupby::run([&] {
    if (count != 4) throw NotMeasured("usage: bench_groupby_vernier FILE UNIT MAX_GROUPS");
    measure(words[1], words[2], words[3]);
  });
}
