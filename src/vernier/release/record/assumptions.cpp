#include <algorithm>

#include "vernier/plan/bind/derived.hpp"
#include "vernier/plan/bind/join_sentences.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/rounding.hpp"
#include "vernier/release/number/public_count.hpp"
#include "vernier/release/record/release_json.hpp"

namespace vernier::release {
namespace {

constexpr std::string_view bounding_sentence =
    "Values outside the bounds of a column count as the nearer bound, and values between two multiples of a declared "
    "granularity as the nearer one. A unit counts in at most max_groups groups, in each with max_rows rows at most: "
    "sums "
    "have that part of what it has there, and quantiles some of its rows, drawn by lot. Intervals cover the statistic "
    "of "
    "what counts, and not of all rows.";

constexpr std::string_view file_sentence =
    "Units differ in tables as they are read: each line of a CSV file is one row, whatever stands in it, and a Parquet "
    "file is well formed, with texts in UTF-8.";

constexpr std::string_view snapshot_sentence =
    "All statistics are of one state of the data: the tables of the engine were read in one snapshot.";

constexpr std::string_view no_snapshot_sentence =
    "Each statistic is of one state of the data, but two of them may be of two states: the engine holds no snapshot, "
    "and "
    "its tables may have changed between two statements.";

std::string unit_sentence(const plan::BoundStudy& study) {
  const std::string unit = plan::unit_of(study);
  if (!first_table(study).unit) {
    return "Each row is a unit of its own: a person with several rows is protected for each of them, not for all.";
  }
  return "The column '" + unit + "' names the unit: all rows about one person have the same value in it.";
}

std::string neighbour_sentence(privacy::Neighbours neighbours) {
  return neighbours == privacy::Neighbours::replace
             ? "Nobody can tell what the rows of one unit say; how many units there are is public (replace)."
             : "Nobody can tell whether one unit is in the data (add-remove).";
}

bool has_private_keys(const plan::BoundStudy& study) {
  return std::any_of(study.statistics.begin(), study.statistics.end(),
                     [](const plan::BoundStatistic& statistic) { return !statistic.keys.are_public; });
}

constexpr std::string_view adding_sentence =
    "Numbers that are made to add up do so in the data: every row that counts in one of their tables counts in all of "
    "them, since none of its keys is missing or undeclared and no unit has more rows or groups than may count.";

bool adds_up(const plan::BoundStudy& study) {
  return std::any_of(study.statistics.begin(), study.statistics.end(), [](const plan::BoundStatistic& statistic) {
    return statistic.inference.denoise == query::Denoise::consistent;
  });
}

bool is_of_population(const plan::BoundStatistic& statistic) { return statistic.inference.of_population; }

std::string sample_sentence(const plan::BoundStudy& study) {
  if (std::none_of(study.statistics.begin(), study.statistics.end(), is_of_population)) {
    return "Intervals tell the error of the noise alone; the rows are not taken for a sample of anything.";
  }
  if (first_table(study).unit) {
    return "Intervals that cover the bounded population are about what counts of its members, after the same bounding: "
           "they take the units for independent draws of members, and say nothing of rows and groups that do not "
           "count. All others tell the error of the noise alone.";
  }
  return "Intervals that cover the population take the rows for independent draws from it; all others tell the error "
         "of "
         "the noise alone.";
}

bool has_totals(const plan::BoundStatistic& statistic) {
  return std::any_of(statistic.measurements.begin(), statistic.measurements.end(), [](const plan::Measurement& one) {
    return one.aggregation && plan::has_fixed_margin(one.figure);
  });
}

std::string design_sentence(const plan::BoundStatistic& one) {
  if (one.weighted) {
    const std::string chance = has_totals(one)
                                   ? "a chance of one over its weight, which says for how many members a row stands"
                                   : "a chance that is inversely proportional to its weight";
    return "Statistics of the population from the table '" + one.table.name + "' are weighted by its column '" +
           one.weighted->column +
           "', moved into its bounds and rounded to its grid: its rows are drawn independently, each member with " +
           chance + ", by a design that does not look at the data.";
  }
  return "Each member of the population is in the table '" + one.table.name + "' with probability " +
         one.table.sampled->text() + ", by a design that is public and does not look at the data.";
}

void add_once(std::vector<std::string>& sentences, std::string sentence) {
  if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end()) {
    sentences.push_back(std::move(sentence));
  }
}

// Each table once.
void add_public_counts(std::vector<std::string>& sentences, const plan::BoundStudy& study,
                       const std::vector<Table>& tables) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::optional<std::int64_t> rows = public_rows(study.statistics[i], tables[i]);
    if (!rows) continue;
    add_once(sentences,
             "The number of rows of the table '" + study.statistics[i].table.name + "', " + std::to_string(*rows) +
                 ", is public: it is the same whatever a row says, and none is left out for what stands in it. In "
                 "means that rest on it a value that is missing, though the catalog says that none is, counts as the "
                 "lower bound.");
  }
}

// Each expression once.
void add_counted_values(std::vector<std::string>& sentences, const plan::BoundStudy& study) {
  for (const plan::BoundStatistic& one : study.statistics) {
    if (!one.rows_by) continue;
    add_once(sentences, "Rows of the table '" + one.table.name + "' are counted by the values of " + *one.rows_by +
                            ", which every row has. One that is missing, though the catalog says that none is, counts "
                            "as the lower bound.");
  }
}

std::string chosen_rows(const plan::BoundStatistic& counted) {
  if (!counted.table.unit) return "";
  const std::int64_t rows = counted.contribution.max_rows;
  if (rows == 1) return " Of a unit with several rows one counts, the same in all of them.";
  return " Of a unit with more rows " + std::to_string(rows) + " count, chosen at random, the same in all of them.";
}

std::string table_sentence(const plan::BoundTables& one) {
  const std::string rest = one.rest ? "counts under the key '" + *one.rest + "'" : "is in none of them";
  return "All tables of '" + one.name +
         "' are of the same rows, read once: a row whose value of a column is missing or undeclared " + rest + "." +
         chosen_rows(one.counted);
}

// Each table once.
void add_line_breaks(std::vector<std::string>& sentences, const plan::BoundStudy& study) {
  for (const plan::BoundStatistic* const one : statements_of(study)) {
    if (!one->table.source.line_breaks) continue;
    add_once(sentences, "Rows of the CSV file of the table '" + one->table.name +
                            "' may have several lines in quotes, unlike those of other CSV files: no row has a quote "
                            "that makes the lines of another one its own, or that makes rows of its own lines.");
  }
}

// Each table once.
void add_designs(std::vector<std::string>& sentences, const plan::BoundStudy& study) {
  for (const plan::BoundStatistic& one : study.statistics) {
    if (!is_of_population(one) || !(one.table.sampled || one.weighted)) continue;
    add_once(sentences, design_sentence(one));
  }
}

}  // namespace

std::vector<std::string> assumptions_of(const plan::Plan& plan, const std::vector<engine::PublicFile>& public_files,
                                        const std::vector<Table>& tables, std::optional<engine::Snapshot> snapshot) {
  std::vector<std::string> sentences = {
      unit_sentence(plan.study),
      neighbour_sentence(plan.study.neighbours),
      "Types, bounds, keys and row limits come from the catalog, which was not written by looking at the data.",
      std::string(bounding_sentence),
      std::string(file_sentence),
      sample_sentence(plan.study),
      "The guarantee is for this release by itself; the ledger adds up all releases of the catalog.",
      "The randomness of the operating system cannot be predicted, and only the release was seen by others."};
  if (has_private_keys(plan.study)) {
    sentences.emplace_back(
        "Private groups are published where enough units are in them: a group that is missing may exist.");
  }
  if (snapshot) {
    sentences.emplace_back(*snapshot == engine::Snapshot::study ? snapshot_sentence : no_snapshot_sentence);
  }
  for (const plan::BoundStatistic& one : plan.study.statistics) {
    for (const std::string& sentence : plan::grid_sentences(one)) add_once(sentences, sentence);
  }
  for (const plan::BoundStatistic& one : plan.study.statistics) {
    if (const std::string warning = plan::denoise_warning(one); !warning.empty()) add_once(sentences, warning);
  }
  for (const plan::BoundStatistic* const one : statements_of(plan.study)) {
    for (const std::string& sentence : plan::join_sentences(*one)) add_once(sentences, sentence);
  }
  add_line_breaks(sentences, plan.study);
  add_designs(sentences, plan.study);
  add_public_counts(sentences, plan.study, tables);
  add_counted_values(sentences, plan.study);
  for (const plan::BoundTables& one : plan.study.tables) add_once(sentences, table_sentence(one));
  if (adds_up(plan.study)) sentences.emplace_back(adding_sentence);
  for (const engine::PublicFile& file : public_files) {
    sentences.push_back("The table '" + file.table +
                        "', which was joined, is public: nothing in it is protected, and it does not change with the "
                        "data. The SHA-256 of its file is " +
                        file.sha256 + ".");
  }
  return sentences;
}

}  // namespace vernier::release
