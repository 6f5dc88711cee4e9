#include <algorithm>

#include "vernier/plan/plan.hpp"
#include "vernier/release/number/public_count.hpp"
#include "vernier/release/record/release_json.hpp"

namespace vernier::release {
namespace {

constexpr std::string_view bounding_sentence =
    "Values outside the bounds of a column count as the nearer bound, and of a unit at most max_rows rows in each of "
    "at most max_groups groups count: intervals cover the statistic of what counts, and not of all rows.";

constexpr std::string_view file_sentence =
    "Units differ in tables as they are read: each line of a CSV file is one row, whatever stands in it, and a Parquet "
    "file is well formed, with texts in UTF-8.";

std::string unit_sentence(const plan::BoundStudy& study) {
  const std::string unit = plan::unit_of(study);
  if (!study.statistics.front().table.unit) {
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
  return "Intervals that cover the population take what counts of each unit for an independent draw from it; all "
         "others tell the error of the noise alone.";
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

// Each table once.
void add_line_breaks(std::vector<std::string>& sentences, const plan::BoundStudy& study) {
  for (const plan::BoundStatistic& one : study.statistics) {
    if (!one.table.source.line_breaks) continue;
    add_once(sentences, "Rows of the CSV file of the table '" + one.table.name +
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
                                        const std::vector<Table>& tables) {
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
  add_line_breaks(sentences, plan.study);
  add_designs(sentences, plan.study);
  add_public_counts(sentences, plan.study, tables);
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
