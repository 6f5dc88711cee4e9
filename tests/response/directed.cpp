#include "response/directed.hpp"

#include <fstream>

#include "support/ledgers.hpp"
#include "support/parquet_file.hpp"
#include "vernier/engine/cells.hpp"
#include "vernier/engine/duckdb/session.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"

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

const char* const private_study_text = R"(catalog = "catalog.toml"
budget = { epsilon = 2.0, delta = 1e-7 }
[[statistic]]
name = "by region"
sql = "SELECT region, COUNT(*) AS people, AVG(age) AS age FROM people WHERE age >= 3 GROUP BY region"
[[statistic]]
name = "by note"
sql = "SELECT note, region, COUNT(*) AS people FROM people GROUP BY note, region"
)";

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

using Cells = std::vector<std::string>;

// The person has cells of any bytes, alone in a region, and one more row in a region that others have.
std::vector<Cells> private_rows(bool with_person) {
  std::vector<Cells> rows;
  for (int i = 0; i < 600; ++i)
    rows.push_back({std::to_string(i), i % 2 == 0 ? "south" : "west", std::to_string(i % 90), i % 4 < 2 ? "7" : "8"});
  if (!with_person) return rows;
  rows.push_back({"999", canary, "40", "7"});
  rows.push_back({"999", "south\r" + canary, "\xFF", "\xC3\x28" + canary});
  rows.push_back({"999", "\"", canary, std::string("\0", 1)});
  rows.push_back({"999", "west", "12", "8"});
  return rows;
}

std::string csv_of(const std::vector<Cells>& rows, bool is_quoted) {
  std::string csv = "id,region,age,note\n";
  for (const Cells& cells : rows) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      csv.append(i == 0 ? "" : ",").append(is_quoted && i != 2 ? query::quoted_identifier(cells[i]) : cells[i]);
    csv += '\n';
  }
  return csv;
}

std::string parquet_of(const std::vector<Cells>& rows) {
  using testing::ParquetPhysical;
  const testing::ParquetKind number{.name = "INT64", .physical = ParquetPhysical::int64};
  const testing::ParquetKind text{
      .name = "UTF8", .physical = ParquetPhysical::bytes, .converted = testing::ParquetConverted::utf8};
  std::vector<testing::ParquetColumnData> columns = {
      {"id", number, {}}, {"region", text, {}}, {"age", number, {}}, {"note", text, {}}};
  for (const Cells& cells : rows) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto value = engine::integer_cell(cells[i]);
      const bool is_number = i % 2 == 0;
      if (!is_number) columns[i].cells.emplace_back(cells[i]);
      if (is_number)
        columns[i].cells.push_back(value ? std::optional(std::string(reinterpret_cast<const char*>(&*value), 8))
                                         : std::nullopt);
    }
  }
  return testing::parquet_file(columns);
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  return text.replace(text.find(old), old.size(), by);
}

}  // namespace

void write_private_example(const std::filesystem::path& folder, bool with_person, Manner manner) {
  const std::vector<Cells> rows = private_rows(with_person);
  const std::string catalog = replaced(catalog_text, R"(, keys = ["north", "south", "west"])", "");
  const std::string source = R"(source = "people.csv")";
  if (manner == Manner::parquet) {
    write(folder / "people.parquet", parquet_of(rows));
    write(folder / "catalog.toml", replaced(catalog, source, R"(source = "people.parquet")"));
  } else {
    const bool is_quoted = manner == Manner::quoted_csv;
    write(folder / "people.csv", csv_of(rows, is_quoted));
    write(folder / "catalog.toml", is_quoted ? catalog : replaced(catalog, source, source + "\nquoted = false"));
  }
  write(folder / "study.toml", private_study_text);
}

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
  study::Study asked = study::Study::read(folder / "study.toml").value();
  asked.bound.origin.sources = "one place";  // which they would share: here each table has a folder of its own
  if (mistake.study) mistake.study(folder, asked.bound);
  const plan::Plan plan = plan::allocate(asked.bound).value();
  std::unique_ptr<engine::Session> session = engine::open_duckdb(asked.bound.catalog, asked.tables()).value();
  if (mistake.session) session = mistake.session(folder, std::move(session));
  const auto ledger = testing::ledger_at(folder / "ledger", release::terms_of(asked.bound.catalog));
  Response response = response_of(asked, plan, *session, *ledger, mistake.tamper ? mistake.tamper(folder) : nullptr);
  if (mistake.sentence && response.status != "published") response.status = mistake.sentence(folder);
  return response;
}

}  // namespace vernier::response
