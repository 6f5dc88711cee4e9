#include <algorithm>
#include <fstream>

#include "response/directed.hpp"
#include "support/duckdb_session.hpp"

namespace vernier::response {
namespace {

using Folder = std::filesystem::path;

// Does as the right engine does, once its own test of the data has passed.
class Careless : public engine::Session {
 public:
  using Test = std::function<Result<void>()>;
  Careless(std::unique_ptr<engine::Session> right, Test test) : right_(std::move(right)), test_(std::move(test)) {}

  plan::BoundingForm form(const plan::BoundStatistic& statistic) const override { return right_->form(statistic); }
  std::string version() const override { return right_->version(); }
  Result<engine::RawAggregates> run(const plan::Sql& sql, const engine::Secret& secret,
                                    const Progress& progress) override {
    if (Result<void> passed = test_(); !passed) return Failure(passed.error());
    return right_->run(sql, secret, progress);
  }

 private:
  std::unique_ptr<engine::Session> right_;
  Test test_;
};

std::string all_text(const Folder& folder) {
  return "read_csv('" + (folder / "people.csv").string() + "', all_varchar = true)";
}

// An engine that also runs this statement over the file, and fails where it does, in the words of DuckDB.
std::function<std::unique_ptr<engine::Session>(const Folder&, std::unique_ptr<engine::Session>)> also_running(
    std::function<std::string(const Folder&)> statement) {
  return [=](const Folder& folder, std::unique_ptr<engine::Session> right) {
    const std::string sql = statement(folder);
    return std::make_unique<Careless>(std::move(right), [=]() -> Result<void> {
      testing::DuckDbSession engine;
      if (engine.run(sql)) return {};
      return fail(ErrorKind::system, engine.error());
    });
  };
}

std::string strict_cast(const Folder& folder) { return "SELECT SUM(CAST(note AS BIGINT)) FROM " + all_text(folder); }

std::string message_of(const Folder& folder) {
  testing::DuckDbSession engine;
  engine.run(strict_cast(folder));
  return engine.error();
}

// The sniffer takes a column of digits for integers; with one word in it, for text, which no number is compared with.
std::string sniffed(const Folder& folder) {
  return "SELECT COUNT(*) FROM read_csv('" + (folder / "people.csv").string() + "') WHERE age >= 3";
}

std::int64_t lines_in(const Folder& folder) {
  std::ifstream file(folder / "people.csv");
  return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
}

// Rows as the engine brings them: groups without rows are not among them, and come last.
Tamper engine_order(const Folder& folder) {
  testing::DuckDbSession engine;
  const bool has_first = engine.run("SELECT 1 FROM " + all_text(folder) + " WHERE region = 'north'")->size() == 1;
  return [has_first](release::Release& release) {
    std::vector<release::Row>& rows = release.tables.front().rows;
    if (!has_first) std::rotate(rows.begin(), rows.begin() + 1, rows.end());
  };
}

}  // namespace

std::vector<Mistake> planted_mistakes() {
  return {
      {"24 a strict cast in the statement", also_running(strict_cast), nullptr, nullptr, nullptr},
      {"25 the engine's message is passed on", also_running(strict_cast), nullptr, nullptr, message_of},
      {"26 rows in the engine's order", nullptr, nullptr, engine_order, nullptr},
      {"37 types from the sniffer", also_running(sniffed), nullptr, nullptr, nullptr},
      {"39 a price that looks at the number of rows", nullptr,
       [](const Folder& folder, plan::BoundStudy& study) { study.statistics.front().typical_rows = lines_in(folder); },
       nullptr, nullptr},
  };
}

}  // namespace vernier::response
