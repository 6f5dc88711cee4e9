// Vernier in the benchmark of statistics: how far published numbers are from exact ones, on average.
// Speaks the protocol of bench/README.md; the lines are those of bench/statistics/cases.py.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "bench/contender.hpp"
#include "vernier/engine/duckdb/session.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/release/run/run_with.hpp"

namespace {

using namespace vernier;

using bench::need;
using bench::NotMeasured;

constexpr double upper = 200000;
constexpr int least_releases = 50;

struct Asked {
  std::string statistic;
  std::uint64_t rows;
  std::string epsilon;
};

Asked parse(const std::string& line) {
  std::istringstream words(line);
  Asked asked;
  if (!(words >> asked.statistic >> asked.rows >> asked.epsilon)) throw NotMeasured("the case cannot be read");
  return asked;
}

// The values of cases.py.
double value(std::uint64_t i) {
  return upper * std::pow(static_cast<double>(i * 2654435761U % (std::uint64_t{1} << 32)) / 0x1p32, 3);
}

double exact_answer(const Asked& asked) {
  const auto n = static_cast<double>(asked.rows);
  if (asked.statistic == "people") return n;
  double sum = 0, squares = 0;
  for (std::uint64_t i = 1; i <= asked.rows; ++i) sum += value(i);
  for (std::uint64_t i = 1; i <= asked.rows; ++i) squares += std::pow(value(i) - sum / n, 2);
  return asked.statistic == "variance" ? squares / n : std::sqrt(squares / n);
}

std::string sql_of(const std::string& statistic) {
  if (statistic == "people") return "SELECT COUNT(DISTINCT id) AS y FROM t";
  return "SELECT " + std::string(statistic == "variance" ? "VAR_POP" : "STDDEV_POP") + "(x) AS y FROM t";
}

// A folder of its own, which goes when the program ends.
class Folder {
 public:
  Folder() {
    std::string place = (std::filesystem::temp_directory_path() / "vernier-bench-XXXXXX").string();
    if (mkdtemp(place.data()) == nullptr) throw NotMeasured("no folder could be made for the data");
    place_ = place;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(place_, ignored);
  }

  void write(std::uint64_t rows) const {
    std::ofstream file(place_ / "t.csv");
    file.precision(17);
    file << "id,x\n";
    for (std::uint64_t i = 1; i <= rows; ++i) file << i << ',' << value(i) << '\n';
  }

  query::Catalog catalog() const {
    auto read = query::examine_catalog_text(place_ / "catalog.toml",
                                            "[budget]\nepsilon = 10\n[tables.t]\nsource = \"t.csv\"\nunit = \"id\"\n"
                                            "row_limit = 1000000\n[tables.t.columns]\nid = { type = \"integer\" }\n"
                                            "x = { type = \"real\", lower = 0, upper = 200000 }\n");
    if (!read.content) throw NotMeasured("the catalog is wrong");
    return *std::move(read.content);
  }

 private:
  std::filesystem::path place_;
};

plan::Plan plan_of(const Asked& asked, const query::Catalog& catalog) {
  const std::string sql = sql_of(asked.statistic);
  auto study =
      query::examine_study_text("study.toml", "catalog = \"catalog.toml\"\nbudget = { epsilon = " + asked.epsilon +
                                                  " }\n[[statistic]]\nname = \"y\"\nsql = \"" + sql + "\"\n");
  if (!study.content) throw NotMeasured("the study is wrong");
  return need(plan::allocate(need(plan::bind(*study.content, catalog, {need(query::read_query(sql, catalog))}))));
}

double mean_error(const Asked& asked, double seconds) {
  const Folder folder;
  folder.write(asked.rows);
  const query::Catalog catalog = folder.catalog();
  const plan::Plan plan = plan_of(asked, catalog);
  const auto session = need(engine::open_duckdb(catalog, catalog.tables));
  const std::vector<release::Prepared> prepared = need(release::prepare(plan, *session));
  auto raw = need(session->run(prepared.front().sql, {1, 2}, nobody_watches));
  const auto exact = need(release::ExactNumbers::of(*prepared.front().statistic, std::move(raw)));
  random::Source& source = *need(random::thread_source());
  const double wanted = exact_answer(asked), start = bench::thread_seconds();
  double total = 0;
  int count = 0;
  for (; count < least_releases || bench::thread_seconds() - start < seconds; ++count) {
    const auto noisy = need(release::detail::with_noise(prepared.front(), exact, source));
    const release::Table table = need(release::published(prepared.front(), exact, noisy));
    total += std::abs(table.rows.front().numbers.front().value - wanted);
  }
  return total / count;
}

}  // namespace

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) : 1;
  bench::serve([&](const std::string& line) { return bench::text(mean_error(parse(line), seconds)); });
}
