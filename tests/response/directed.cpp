#include "response/directed.hpp"

#include <fstream>

#include "cli/ledger_state.hpp"
#include "support/ledgers.hpp"
#include "vernier/engine/duckdb_session.hpp"
#include "vernier/release/catalog_ledger.hpp"

namespace vernier::response {
namespace {

const char* const catalog_text = R"([budget]
epsilon = 30.0
delta = 1e-6
[tables.people]
source = "people.csv"
unit = "id"
row_limit = 10000
[tables.people.columns]
id = { type = "integer" }
region = { type = "string", keys = ["north", "south", "west"] }
age = { type = "integer", lower = 0, upper = 99 }
note = { type = "string" }
)";

const char* const study_text = R"(catalog = "catalog.toml"
budget = { epsilon = 1.0, delta = 1e-7 }
[[statistic]]
name = "by region"
sql = "SELECT region, COUNT(*) AS people, AVG(age) AS age FROM people WHERE age >= 3 GROUP BY region"
accuracy = { age = 20 }
[[statistic]]
name = "notes"
sql = "SELECT SUM(CLAMP(CAST(note AS INTEGER), 0, 10)) AS notes FROM people"
)";

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace

void write_example(const std::filesystem::path& folder, bool with_person) {
  std::string csv = "id,region,age,note\n";
  for (int i = 0; i < 50; ++i) {
    csv += std::to_string(i) + "," + (i % 2 == 0 ? "south" : "west") + "," + std::to_string(i) + ",7\n";
  }
  if (with_person) csv += "99,north," + canary + "," + canary + "\n99,north,40," + canary + "\n";
  write(folder / "people.csv", csv);
  write(folder / "catalog.toml", catalog_text);
  write(folder / "study.toml", study_text);
}

Response respond(const std::filesystem::path& folder, const Mistake& mistake) {
  cli::AskedStudy asked = cli::read_asked_study(folder / "study.toml").value();
  asked.bound.origin.sources = "one place";  // which they would share: here each table has a folder of its own
  if (mistake.study) mistake.study(folder, asked.bound);
  const plan::Plan plan = plan::allocate(asked.bound).value();
  std::unique_ptr<engine::Session> session =
      engine::open_duckdb(asked.bound.catalog, cli::asked_tables(asked.bound)).value();
  if (mistake.session) session = mistake.session(folder, std::move(session));
  const auto ledger = testing::ledger_at(folder / "ledger", release::terms_of(asked.bound.catalog));
  Response response = response_of(asked, plan, *session, *ledger, mistake.tamper ? mistake.tamper(folder) : nullptr);
  if (mistake.sentence && response.status != "published") response.status = mistake.sentence(folder);
  return response;
}

}  // namespace vernier::response
