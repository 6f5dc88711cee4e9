#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/numeric/rational.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/problem.hpp"
#include "vernier/query/table_set.hpp"

// What the intervals of a statistic are about, and what is made of its released numbers.
namespace vernier::query {

enum class Denoise : std::uint8_t { none, least_risk, james_stein, soft_threshold, consistent };
std::string_view name_of(Denoise denoise);  // "least-risk"

// Two groups by the text of their key: the first less the second.
using Difference = std::array<std::string, 2>;

struct Inference {
  bool of_population = false;      // else of the rows as they are
  bool is_guaranteed = false;      // proven intervals, where a shorter one is only tested
  bool is_simultaneous = false;    // all intervals of the statistic hold at once
  bool has_clamped_share = false;  // how many rows were moved to a bound is published too
  Denoise denoise = Denoise::none;
  std::vector<Difference> differences = {};

  friend bool operator==(const Inference&, const Inference&) = default;
};

// The analyst's study: which statistics, how accurate, for how much. What SQL means is not looked at here.
// The released numbers of this output column are to lie within ± this of the exact ones, at the study's alpha.
struct Target {
  std::string column;          // as the SQL calls it
  numeric::Rational accuracy;  // above 0
  Place place;
};

// How much of what columns without an accuracy share this one has, in place of the weight of its statistic.
struct ColumnWeight {
  std::string column;        // as the SQL calls it
  numeric::Rational weight;  // above 0
  Place place;
};

// Of private keys: groups of so many units are to be published with this chance at least.
struct Seen {
  std::int64_t units;        // from 2 on
  numeric::Rational chance;  // between 0 and 1
  Place place = {};
};
inline constexpr std::int64_t greatest_seen_units = 1'000'000'000'000;

inline constexpr std::int64_t usual_typical_rows = 1000;
inline constexpr std::int64_t greatest_typical_rows = 1'000'000'000'000;

struct Statistic {
  std::string name;
  std::string sql;
  std::vector<Target> accuracy;  // in the order of the file; columns without one share the budget by weight
  numeric::Rational weight;      // above 0; 1 unless told
  std::optional<std::int64_t> max_groups = {};     // groups that one unit may touch; none: as the table says
  std::optional<std::int64_t> max_rows = {};       // rows of one unit that count in one group; likewise
  std::int64_t typical_rows = usual_typical_rows;  // of a group, for which the accuracy of AVG is stated
  Place place;
  Place sql_place;  // of its opening quote
  Inference inference = {};
  std::vector<ColumnWeight> weights = {};       // of columns, in the order of the file
  std::optional<numeric::Rational> alpha = {};  // none: that of the study
  std::optional<Seen> seen = {};                // which groups are to be published, where keys are private
  bool at_least = false;                        // what the budget leaves makes its accuracies better
  bool by_coefficient = false;                  // from a [[regression]]: a row for each number, not a column
};

struct StudyBudget {
  numeric::Rational epsilon;  // exact decimals, as written
  numeric::Rational delta;
};

struct Study {
  std::filesystem::path path;
  std::filesystem::path catalog;      // found from the study's folder; empty where it names none
  numeric::Rational alpha;            // 0.05 unless told
  std::optional<StudyBudget> budget;  // there unless every statistic and table states an accuracy
  std::vector<Statistic> statistics;  // their names, and those of tables, differ by more than case
  std::vector<TableSet> tables = {};  // there is one statistic or table at least
};

// Whether a study must name its catalog, or whoever runs it may name it.
enum class CatalogOf : std::uint8_t { study, runner };

// Reads a study strictly, as read_catalog reads a catalog. Neither the catalog nor any data is opened.
Result<Study> read_study(const std::filesystem::path& path, CatalogOf catalog = CatalogOf::study);

// The same, with everything that is wrong; fails only where the file cannot be read.
Result<Reading<Study>> examine_study(const std::filesystem::path& path, CatalogOf catalog = CatalogOf::study);

// The same for a text; `path` is where it would lie.
Reading<Study> examine_study_text(const std::filesystem::path& path, std::string_view text,
                                  CatalogOf catalog = CatalogOf::study);

}  // namespace vernier::query
