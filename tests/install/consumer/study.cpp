#include <fstream>
#include <iostream>

#include "readme.hpp"  // the C++ of the README: publish()

namespace {

void write(const char* file, const std::string& content) { std::ofstream(file) << content; }

// 300 people in the north, and 100 in the south.
void write_example() {
  std::string rows = "person_id,region\n";
  for (int i = 0; i < 400; ++i) rows += std::to_string(i) + (i < 300 ? ",north\n" : ",south\n");
  write("people.csv", rows);
  write("catalog.toml", R"([budget]
epsilon = 3
[tables.people]
source = "people.csv"
unit = "person_id"
[tables.people.columns]
person_id = { type = "integer" }
region = { type = "string", keys = ["north", "south"] }
)");
  write("study.toml", R"(catalog = "catalog.toml"
budget = { epsilon = 1 }
[[statistic]]
name = "people"
sql = "SELECT region, COUNT(*) AS people FROM people GROUP BY region"
)");
}

// Whether what was published holds, and what was paid for it stands in the ledger.
Result<bool> is_published() {
  VERNIER_TRY(const release::Verdict verdict, study::verify("published", std::nullopt));
  VERNIER_TRY(const study::Text catalog, study::read_text("catalog.toml"));
  VERNIER_TRY(const study::LedgerShow ledger, study::ledger_show(catalog, {}, nobody_watches));
  if (!verdict.holds()) return false;
  const std::vector<release::Row>& rows = verdict.record->tables[0].rows;
  const double north = rows[0].numbers[0].value, south = rows[1].numbers[0].value;
  // Geometric noise of epsilon 1 beyond 50: less than 1e-21.
  return rows.size() == 2 && std::abs(north - 300) < 50 && std::abs(south - 100) < 50 &&
         ledger.reading.summary.all().releases == 1;
}

}  // namespace

// Exit code 0 when the installed library releases a study as it should.
int main() {
  write_example();
  if (const Result<void> published = publish(); !published) {
    std::cerr << published.error().sentence() << '\n';
    return 1;
  }
  const Result<bool> holds = is_published();
  if (!holds) std::cerr << holds.error().sentence() << '\n';
  return holds && *holds ? 0 : 1;
}
