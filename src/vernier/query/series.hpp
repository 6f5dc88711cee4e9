#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/query/problem.hpp"
#include "vernier/query/study.hpp"

// A [[series]] of a study: the same counts at every step of a calendar, with totals from the first step on.
namespace vernier::query {

enum class StepLength : std::uint8_t { day, week, month };
std::string_view name_of(StepLength length);
constexpr StepLength last_of(StepLength) { return StepLength::month; }

// The days from the first to the last one, in steps. Weeks begin on the day of the week of the first; months are those
// of the calendar. The last step may be cut off.
struct Calendar {
  StepLength length = StepLength::day;
  Day start = {0};
  Day end = {0};

  std::int64_t steps() const;
  std::optional<std::int64_t> step_of(Day day) const;  // from 0 on; none outside of it
  Day first_day(std::int64_t step) const;
  Day last_day(std::int64_t step) const;

  friend bool operator==(const Calendar&, const Calendar&) = default;
};

// What is published of each step.
enum class SeriesKind : std::uint8_t { each, last, cumulative };
std::string_view name_of(SeriesKind kind);
constexpr SeriesKind last_of(SeriesKind) { return SeriesKind::cumulative; }

inline constexpr std::int64_t most_series_steps = 4096;
inline constexpr std::int64_t most_last_steps = 1000;

struct SeriesAccuracy {
  std::optional<numeric::Rational> each = {}, last = {}, cumulative = {};

  bool none() const { return !each && !last && !cumulative; }
};

struct Series {
  std::string name;
  std::string from;                       // as in FROM
  std::optional<std::string> where = {};  // as in WHERE
  std::vector<std::string> columns = {};  // as in SELECT; each has public keys
  std::string day;                        // the column of the day on which a row arrives
  Calendar calendar = {};
  std::int64_t max_steps = 1;  // at which one unit counts: its first ones
  std::int64_t apart = 1;      // so many steps at least between two of them
  std::int64_t last = 7;       // steps whose sum is published beside each and all
  SeriesAccuracy accuracy = {};
  std::optional<SeriesKind> best = {};  // whose worst accuracy is made least, where a budget is shared
  // Where it is one of the tables of a [[series]] with up_to: the name of that, and which of the columns it has. The
  // columns are those of all of its tables, since all of them count the same rows.
  std::string together = {};
  std::vector<std::size_t> table = {};
  Place place = {};

  // The SELECT that counts its rows by day and columns.
  std::string statement() const;
};

// A study of series alone.
struct SeriesStudy {
  std::filesystem::path path;
  std::filesystem::path catalog;  // found from the study's folder; empty where it names none
  numeric::Rational alpha;
  std::optional<StudyBudget> budget;
  std::vector<Series> series;  // one at least; all over the same calendar
};

// Whether the text of a study has [[series]]: then the function below reads it, and `examine_study_text` does not.
bool has_series(std::string_view text);
Reading<SeriesStudy> examine_series_text(const std::filesystem::path& path, std::string_view text,
                                         CatalogOf catalog = CatalogOf::study);

// Whether the catalog of this text says append_only = true of the table.
bool is_append_only(std::string_view catalog_text, std::string_view table);

}  // namespace vernier::query
