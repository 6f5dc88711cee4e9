#include <algorithm>
#include <set>

#include "vernier/core/text.hpp"
#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/release/verify/examination.hpp"

// Whether the text of the plan, whose hash the ledger has too, says what the record says. The text is rendered anew
// from the record, by the function that made it; what only the catalog knows (SQL, expressions, tallies) is left out.
namespace vernier::release {
namespace {

using plan::BoundStatistic;

using Lines = std::vector<std::string>;

// Ends of lines inside quotes are part of names and values.
Lines lines_of(const std::string& text) {
  Lines lines(1);
  char quote = 0;
  for (const char c : text) {
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    }
    if (c == '\n' && quote == 0) {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

bool is_argument(const std::string& line) { return line.starts_with("  argument "); }
bool is_cell(const std::string& line) { return line.starts_with("    cell"); }
bool is_forecast(const std::string& line) { return line.starts_with("    units "); }

struct PlanText {
  Lines lines;                   // that the record can tell, with the cells of a statistic by their text
  std::vector<Lines> arguments;  // of each statistic: the grid of every argument
};

PlanText parts_of(const std::string& text) {
  PlanText parts;
  bool is_behind_argument = false;
  for (std::string& line : lines_of(text)) {
    if (line.starts_with("statistic ")) parts.arguments.emplace_back();
    const bool is_grid = is_behind_argument && !parts.arguments.empty();
    is_behind_argument = is_argument(line);
    if (is_grid) {
      parts.arguments.back().push_back(std::move(line));
    } else if (!is_behind_argument && !line.starts_with("  sql ") && !line.starts_with("  tally ")) {
      parts.lines.push_back(std::move(line));
    }
  }
  for (auto first = parts.lines.begin(); first != parts.lines.end();) {
    const auto cell = std::find_if(first, parts.lines.end(), is_cell);
    first = std::find_if_not(cell, parts.lines.end(), is_cell);
    std::sort(cell, first);
  }
  return parts;
}

Lines words_of(const std::string& line) {
  Lines words(1);
  for (const char c : line) c == ' ' ? void(words.emplace_back()) : void(words.back() += c);
  return words;
}

// Numbers but for their last digits.
bool is_same_forecast(const std::string& a, const std::string& b) {
  const Lines left = words_of(a), right = words_of(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const std::string& one, const std::string& other) {
                      const Result<double> x = read_number("it", one), y = read_number("it", other);
                      return one == other || (x && y && is_close(*x, *y, overstated));
                    });
}

bool is_same(const std::string& a, const std::string& b) {
  return a == b || (is_forecast(a) && is_forecast(b) && is_same_forecast(a, b));
}

// What the record states, with the forecasts that follow.
std::string rendered(const Examination& all) {
  plan::Plan plan = all.record.plan;
  plan.study = all.study;
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    if (plan.statistics[i].keys) plan.statistics[i].keys->forecast = all.plan->statistics[i].keys->forecast;
  }
  return plan::canonical(plan);
}

bool is_weighted_count(const BoundStatistic& statistic, const plan::Measurement& one) {
  return statistic.weighted && one.kind == plan::MeasurementKind::count;
}

std::string grid_of(const BoundStatistic& statistic, const plan::Measurement& one, plan::Steps steps) {
  if (is_weighted_count(statistic, one)) {
    return "    granularity 1 origin 0 from 0 to " + std::to_string(statistic.weighted->heaviest) +
           " presence weighted-times 1";
  }
  const bool is_sum = one.kind == plan::MeasurementKind::sum;
  const bool is_weighted = statistic.weighted && plan::has_nodes(one.kind);
  const std::int64_t heaviest = is_weighted ? statistic.weighted->heaviest : 1;
  const plan::Steps from_to = is_sum ? steps : plan::Steps{0, one.steps * one.fineness * heaviest};
  std::string line = "    granularity " + shortest(one.granularity);
  line.append(" origin ").append(std::to_string(one.origin));
  line.append(" from ").append(std::to_string(from_to.lower)).append(" to ").append(std::to_string(from_to.upper));
  line += " number";
  const bool has_squares =
      one.kind == plan::MeasurementKind::moments || one.kind == plan::MeasurementKind::public_moments;
  if (!has_squares) return line;
  line.append(" square-of ").append(std::to_string(one.steps)).append(" fineness ");
  return line.append(std::to_string(one.fineness)).append(is_weighted ? " below weighted-times 1" : " below");
}

// The weight itself, where ranks count it.
std::string weight_grid(const plan::SurveyWeight& weight) {
  std::string line = "    granularity " + shortest(weight.granularity);
  return line.append(" origin 0 from 0 to ").append(std::to_string(weight.heaviest)).append(" number");
}

bool has(const Lines& grids, const std::string& grid) {
  return std::find(grids.begin(), grids.end(), grid) != grids.end();
}

Result<void> check_grids(const BoundStatistic& statistic, const std::vector<plan::Steps>& steps, const Lines& grids) {
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const plan::Measurement& one = statistic.measurements[i];
    const bool has_grid = one.kind == plan::MeasurementKind::sum || plan::has_nodes(one.kind) ||
                          plan::has_public_count(one.kind) || plan::has_histogram(one.kind) ||
                          is_weighted_count(statistic, one);
    if (!has_grid) continue;
    const std::string grid = grid_of(statistic, one, steps[i]);
    const bool is_ranked = statistic.weighted && one.kind == plan::MeasurementKind::quantiles;
    if (!has(grids, grid) || (is_ranked && !has(grids, weight_grid(*statistic.weighted)))) {
      return differs(place_of(statistic, one), "grid", "of its values", "one that the plan has");
    }
  }
  return {};
}

}  // namespace

Finding check_plan_text(Examination& all) {
  const PlanText stated = parts_of(all.record.plan_text), found = parts_of(rendered(all));
  const auto [left, right] =
      std::mismatch(stated.lines.begin(), stated.lines.end(), found.lines.begin(), found.lines.end(), is_same);
  if (left != stated.lines.end() || right != found.lines.end()) {
    return differs("plan", "line", left == stated.lines.end() ? "(none)" : "'" + *left + "'",
                   right == found.lines.end() ? "(none)" : "'" + *right + "'");
  }
  for (std::size_t i = 0; i < all.study.statistics.size(); ++i) {
    VERNIER_TRY(check_grids(all.study.statistics[i], all.record.steps[i], stated.arguments.at(i)));
  }
  return static_cast<std::int64_t>(found.lines.size());
}

}  // namespace vernier::release
