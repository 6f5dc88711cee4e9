#pragma once

#include <random>
#include <string>
#include <vector>

namespace vernier::testing {

// A table of visits for tests of bounding: several rows per unit, NULLs, values beyond the bounds, undeclared keys.
inline const std::string visits_columns = R"(row_limit = 100000
[tables.visits.columns]
who = { type = "string" }
region = { type = "string", keys = ["a", "b", "c", "d", "e", "f", "g", "h"] }
city = { type = "string" }
code = { type = "integer" }
member = { type = "boolean" }
debt = { type = "integer", lower = -20, upper = 30 }
income = { type = "real", lower = 0, upper = 10, granularity = 0.25 }
)";
inline const std::string visits_table = "[tables.visits]\nsource = \"visits.csv\"\nunit = \"who\"\n" + visits_columns;
inline const std::string visits_header = "who,region,city,code,member,debt,income\n";

// "max_groups = 2\nmax_rows = 3", for the study.
inline std::string limits(std::size_t groups, std::size_t rows) {
  return "max_groups = " + std::to_string(groups) + "\nmax_rows = " + std::to_string(rows);
}

// SELECT of these by these keys, if there are any.
inline std::string statement(const std::string& keys, const std::string& asked, const std::string& where = "") {
  const std::string front = keys.empty() ? "" : keys + ", ";
  return "SELECT " + front + asked + " FROM visits" + where + (keys.empty() ? "" : " GROUP BY " + keys);
}

struct Visit {
  std::string who;
  std::string line;  // with its line end
};

class RandomVisits {
 public:
  explicit RandomVisits(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }

  // Units have from one to many rows; one of them has as many as all others together.
  std::vector<Visit> visits(std::size_t units, std::size_t rows) {
    std::vector<Visit> all;
    for (std::size_t i = 0; i < rows; ++i) all.push_back(visit(i % 2 == 0 ? below(units) : 0));
    return all;
  }

 private:
  std::string one_of(const std::vector<std::string>& texts) { return texts[below(texts.size())]; }
  std::string letter(std::size_t count) { return {static_cast<char>('a' + below(count))}; }

  Visit visit(std::size_t unit) {
    const std::string who = below(20) == 0 ? std::string() : "unit " + std::to_string(unit);
    std::string line = who;
    line += "," + (below(15) == 0 ? std::string() : letter(10));
    line += ",city " + letter(12);
    line += "," + (below(15) == 0 ? std::string("x") : std::to_string(static_cast<int>(below(9)) - 4));
    line += "," + one_of({"true", "false", ""});
    line += "," + (below(4) == 0 ? std::string() : std::to_string(static_cast<int>(below(80)) - 40));
    line += "," + one_of({"", "0", "3.3", "9.9", "1e9", "-5", "0.125", "nan"}) + "\n";
    return {who, line};
  }

  std::mt19937_64 random_;
};

inline std::string csv_of(const std::vector<Visit>& visits, const std::string& without = "nobody") {
  std::string csv = visits_header;
  for (const Visit& visit : visits) {
    if (visit.who != without) csv += visit.line;
  }
  return csv;
}

}  // namespace vernier::testing
