#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "vernier/core/text.hpp"
#include "vernier/study/documents.hpp"
#include "vernier/study/series.hpp"

namespace vernier::study {
namespace {

// More lines of past steps are not written, so that a year of steps stays of a size that a ledger can keep.
constexpr std::size_t most_lines = 4000;

std::string heading_of(const plan::SeriesFacts& facts, bool is_revised) {
  std::string line = "step,last_day";
  for (const plan::SeriesColumn& column : facts.columns) line += "," + csv_text(column.name);
  for (const std::string& name : {std::string("each"), "last_" + std::to_string(facts.last), std::string("cumulative")})
    line += "," + name + "," + name + "_low," + name + "_high," + name + "_estimate";
  return line + (is_revised ? ",cumulative_revised\n" : "\n");
}

std::string key_cell_of(const query::Value& value) {
  const auto* const text = std::get_if<std::string>(&value);
  return text != nullptr ? csv_text(*text) : query::text_of(value);
}

std::string line_of_cell(const plan::SeriesFacts& facts, std::int64_t step, std::size_t cell,
                         const release::CellNumbers& numbers) {
  std::string line =
      query::text_of(facts.calendar.first_day(step)) + "," + query::text_of(facts.calendar.last_day(step));
  for (const query::Value& key : release::keys_of_cell(facts, cell)) line += "," + key_cell_of(key);
  for (const series::Number& one : numbers) {
    line += "," + std::to_string(one.value) + "," + std::to_string(one.low) + "," + std::to_string(one.high) + "," +
            fmt::format("{}", one.estimate);
  }
  return line;
}

std::string step_csv(const PublishedStep& published, std::size_t place) {
  const plan::SeriesFacts& facts = published.record.plan.series[place];
  std::string text = heading_of(facts, false);
  const auto& numbers = published.record.numbers[place];
  for (std::size_t cell = 0; cell < numbers.size(); ++cell)
    text += line_of_cell(facts, published.record.step, cell, numbers[cell]) + "\n";
  return text;
}

// The last steps up to this one, as many as there are lines for.
std::string past_csv(const PublishedStep& published, std::size_t place) {
  const plan::SeriesFacts& facts = published.record.plan.series[place];
  const auto cells = static_cast<std::size_t>(facts.cells());
  const auto steps = static_cast<std::size_t>(published.record.step) + 1;
  const std::size_t shown = std::clamp<std::size_t>(most_lines / cells, 1, steps);
  std::vector<std::vector<release::CellNumbers>> all;
  for (std::size_t t = steps - shown; t < steps; ++t)
    all.push_back(release::numbers_at(published.study.plan.series[place], facts, published.noisy[place], t));
  std::vector<std::vector<double>> revised;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::vector<series::Number> totals;
    for (const auto& step : all) totals.push_back(step[cell][2]);
    revised.push_back(never_falling(totals));
  }
  std::string text = heading_of(facts, true);
  for (std::size_t t = 0; t < shown; ++t) {
    for (std::size_t cell = 0; cell < cells; ++cell) {
      text += line_of_cell(facts, static_cast<std::int64_t>(steps - shown + t), cell, all[t][cell]) + "," +
              std::to_string(std::llround(revised[cell][t])) + "\n";
    }
  }
  return text;
}

}  // namespace

// Pools neighbours that fall, so that sums of squares to the estimates are least. Where two intervals contradict each
// other, one of them misses, and a value may lie outside of it.
std::vector<double> never_falling(const std::vector<series::Number>& totals) {
  struct Pool {
    double sum;
    std::size_t count;
  };
  std::vector<Pool> pools;
  for (const series::Number& one : totals) {
    pools.push_back({one.estimate, 1});
    while (pools.size() > 1) {
      const Pool last = pools.back(), before = pools[pools.size() - 2];
      if (before.sum * static_cast<double>(last.count) <= last.sum * static_cast<double>(before.count)) break;
      pools.pop_back();
      pools.back() = {before.sum + last.sum, before.count + last.count};
    }
  }
  std::vector<double> values;
  for (const Pool& pool : pools) values.insert(values.end(), pool.count, pool.sum / static_cast<double>(pool.count));
  double least = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double within =
        std::clamp(values[i], static_cast<double>(totals[i].low), static_cast<double>(totals[i].high));
    values[i] = least = std::max(within, least);
  }
  return values;
}

ledger::Documents step_csv_documents(const PublishedStep& published) {
  std::vector<std::string> names;
  for (const plan::SeriesFacts& one : published.record.plan.series) names.push_back(one.name);
  const std::vector<std::string> slugs = slugs_of(names);
  ledger::Documents documents;
  for (std::size_t i = 0; i < slugs.size(); ++i) {
    documents.push_back({slugs[i] + ".csv", step_csv(published, i)});
    documents.push_back({slugs[i] + ".past.csv", past_csv(published, i)});
  }
  return documents;
}

}  // namespace vernier::study
