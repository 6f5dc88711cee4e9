#include <cmath>
#include <deque>
#include <functional>
#include <iostream>
#include <sstream>
#include <vector>

#include "bench/contender.hpp"
#include "vernier/interval/difference.hpp"
#include "vernier/interval/population/count.hpp"
#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/population/proportion.hpp"
#include "vernier/interval/population/public_count_mean.hpp"
#include "vernier/interval/population/quantile.hpp"
#include "vernier/interval/population/spread.hpp"
#include "vernier/interval/population/sum.hpp"
#include "vernier/interval/rows/additive.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/interval/rows/selected.hpp"
#include "vernier/interval/rows/variance.hpp"
#include "vernier/noise/rank_choice.hpp"

// How wide intervals are over what the worst cell needs: README.md.
namespace {

using namespace vernier;  // NOLINT: a program
using noise::Geometric;
using Sums = std::vector<std::int64_t>;

// What is told of a sample with so many rows at the upper one of two values.
struct Told {
  double value;
  interval::Interval interval;
};

struct Question {
  std::string kind;
  std::int64_t rows;
  Alpha alpha;
};

constexpr double half_drawn = 0.5;

Geometric hardly_any_noise() { return bench::need(Geometric::of(bench::need(LaplaceScale::of(0.01)))); }
noise::ValueRange unit() {
  return bench::need(noise::ValueRange::of(bench::need(Real::of(0)), bench::need(Real::of(1))));
}
interval::MeanNodes nodes() { return bench::need(interval::MeanNodes::of(interval::Basis::bernstein, 1024)); }
Sums sums_of(std::int64_t rows, std::int64_t upper) { return {(rows - upper) << 20, 0, upper << 20}; }

double binomial(std::int64_t n, std::int64_t k, double p) {
  const auto of = [](std::int64_t x) { return std::lgamma(static_cast<double>(x) + 1); };
  return std::exp(of(n) - of(k) - of(n - k) + static_cast<double>(k) * std::log(p) +
                  static_cast<double>(n - k) * std::log1p(-p));
}

// One cell: what may be told, how often, and what is true.
struct Cell {
  std::vector<std::pair<double, const Told*>> samples;
  double truth;
};

double missed(const Cell& cell, double part) {
  double sum = 0;
  for (const auto& [mass, told] : cell.samples) {
    const double low = told->value - part * (told->value - told->interval.low);
    const double high = told->value + part * (told->interval.high - told->value);
    const double slack = 1e-9 * (1 + std::abs(cell.truth));
    if (cell.truth < low - slack || cell.truth > high + slack) sum += mass;
  }
  return sum;
}

// 1 over the least part of its way that every interval must reach.
double over_need(const std::vector<Cell>& cells, double alpha) {
  double least = 0, enough = 1;
  for (int step = 0; step < 20; ++step) {
    const double middle = (least + enough) / 2;
    bool holds = true;
    for (const Cell& cell : cells) holds = holds && missed(cell, middle) <= alpha;
    (holds ? enough : least) = middle;
  }
  return 1 / enough;
}

// Rare and common ones, but none so near to what is possible at all that ends are cut off there: what is cut off cannot
// be made shorter.
std::vector<double> shares(std::int64_t rows, double most) {
  std::vector<double> found;
  for (int i = 4; i < 37 && i / 40.0 <= most; ++i) found.push_back(i / 40.0);
  for (double expected = 2.5; expected < std::min(20.0, static_cast<double>(rows) / 4); expected += 0.25) {
    found.push_back(expected / static_cast<double>(rows));
  }
  return found;
}

template <class Inference>
std::function<Told(const Sums&)> from(const Result<Inference>& made) {
  return [inference = bench::need(made)](const Sums& sums) {
    const auto found = bench::need(inference.from(sums));
    return Told{found.value, found.interval};
  };
}

// ---- kinds whose samples have a share of rows at the upper value

std::function<Told(std::int64_t)> told_by(const Question& asked) {
  const Geometric law = hardly_any_noise();
  const auto& [kind, rows, alpha] = asked;
  const auto of_sums = [rows](const std::function<Told(const Sums&)>& told) {
    return [rows, told](std::int64_t upper) { return told(sums_of(rows, upper)); };
  };
  using Mean = interval::PopulationMeanInference<Geometric>;
  if (kind == "mean") return of_sums(from(Mean::of(law, nodes(), unit(), alpha, interval::Assurance::usual, {})));
  if (kind == "guaranteed-mean") {
    return of_sums(from(Mean::of(law, nodes(), unit(), alpha, interval::Assurance::guaranteed, {})));
  }
  if (kind == "variance") {
    const interval::SpreadForm form{interval::Divisor::rows, false};
    return of_sums(from(
        interval::PopulationSpreadInference<Geometric>::of(law, nodes(), bench::need(Real::of(1)), alpha, form, {})));
  }
  if (kind == "public-count-mean") {
    const auto made = bench::need(interval::PublicCountPopulationMean<Geometric>::of(law, nodes(), unit(), alpha,
                                                                                     interval::Assurance::usual, {}));
    return [made, rows](std::int64_t upper) {
      const auto found = bench::need(made.from(sums_of(rows, upper), rows));
      return Told{found.value, found.interval};
    };
  }
  if (kind == "share") {
    const auto two = bench::need(interval::MeanNodes::of(interval::Basis::two, 1));
    const auto told = from(interval::PopulationProportionInference<Geometric>::of(law, two, unit(), alpha,
                                                                                  interval::Assurance::usual, {}));
    return [told, rows](std::int64_t upper) { return told({rows - upper, upper}); };
  }
  throw bench::NotMeasured("there is no kind of interval " + kind);
}

double of_shares(const Question& asked) {
  const auto told = told_by(asked);
  std::vector<Told> found;
  for (std::int64_t k = 0; k <= asked.rows; ++k) found.push_back(told(k));
  std::vector<Cell> cells;
  for (const double p : shares(asked.rows, asked.kind == "variance" ? 0.3 : 1)) {
    Cell cell{{}, asked.kind == "variance" ? p * (1 - p) : p};
    for (std::int64_t k = 0; k <= asked.rows; ++k) {
      cell.samples.emplace_back(binomial(asked.rows, k, p), &found[static_cast<std::size_t>(k)]);
    }
    cells.push_back(std::move(cell));
  }
  return over_need(cells, asked.alpha.value());
}

// ---- totals: half of the members are drawn, and up to so many rows are there

double of_totals(const Question& asked) {
  const Geometric law = hardly_any_noise();
  const interval::Design design{.sampled = half_drawn};
  std::function<Told(std::int64_t)> told;
  if (asked.kind == "count") {
    const auto made = bench::need(interval::PopulationCountInference<Geometric>::of(law, asked.alpha, design));
    told = [made](std::int64_t rows) {
      const auto found = bench::need(made.from(rows));
      return Told{found.value, found.interval};
    };
  } else {
    const auto of_sums =
        from(interval::PopulationSumInference<Geometric>::of(law, nodes(), unit(), asked.alpha, design));
    told = [of_sums](std::int64_t rows) { return of_sums(sums_of(rows, rows)); };
  }
  const std::int64_t most = 2 * asked.rows;
  std::vector<Told> found;
  for (std::int64_t k = 0; k <= most; ++k) found.push_back(told(k));
  std::vector<Cell> cells;
  for (std::int64_t members = asked.rows; members <= most; members += std::max<std::int64_t>(asked.rows / 20, 1)) {
    Cell cell{{}, static_cast<double>(members)};
    for (std::int64_t k = 0; k <= members; ++k) {
      cell.samples.emplace_back(binomial(members, k, half_drawn), &found[static_cast<std::size_t>(k)]);
    }
    cells.push_back(std::move(cell));
  }
  return over_need(cells, asked.alpha.value());
}

// ---- of the rows: all noise of the numbers that are released, the rows being what they are

constexpr double row_noise = 2;  // of one number, in rows
constexpr double least_mass = 1e-8;

Geometric noise_of_rows() { return bench::need(Geometric::of(bench::need(LaplaceScale::of(row_noise)))); }

// All that may be told of these exact numbers, each with noise of its own.
Cell cell_of(const Sums& exact, double truth, const std::function<Told(const Sums&)>& told, std::deque<Told>& kept) {
  const Geometric law = noise_of_rows();
  const std::int64_t reach = bench::need(law.two_sided_quantile(bench::need(Probability::of(least_mass))));
  Cell cell{{}, truth};
  Sums noisy = exact;
  const std::function<void(std::size_t, double)> add = [&](std::size_t number, double mass) {
    if (mass < least_mass) return;
    if (number == exact.size()) {
      kept.push_back(told(noisy));
      cell.samples.emplace_back(mass, &kept.back());
      return;
    }
    for (std::int64_t x = -reach; x <= reach; ++x) {
      noisy[number] = exact[number] + x;
      add(number + 1, mass * law.mass(x).upper);
    }
  };
  add(0, 1);
  return cell;
}

interval::SpreadForm population_variance() { return {interval::Divisor::rows, false}; }

std::function<Told(const Sums&)> told_of_rows(const Question& asked) {
  const Geometric law = noise_of_rows();
  if (asked.kind == "rows-count") {
    const std::int64_t accuracy = bench::need(interval::additive_accuracy(law, asked.alpha));
    return [accuracy](const Sums& sums) {
      const auto y = static_cast<double>(sums[0]), a = static_cast<double>(accuracy);
      return Told{y, {y - a, y + a}};
    };
  }
  if (asked.kind == "rows-mean") {
    const auto two = bench::need(interval::MeanNodes::of(interval::Basis::two, 1));
    return from(Result<interval::MeanInference<Geometric>>(
        interval::MeanInference<Geometric>::of(law, two, unit(), asked.alpha)));
  }
  const auto three = bench::need(interval::MeanNodes::of(interval::Basis::bernstein, 1));
  return from(interval::SpreadInference<Geometric>::of(law, three, bench::need(Real::of(1)), asked.alpha,
                                                       population_variance()));
}

double of_rows(const Question& asked) {
  const auto told = told_of_rows(asked);
  std::deque<Told> kept;
  std::vector<Cell> cells;
  for (const double share : {0.5, 0.3, 0.1}) {
    const auto upper = static_cast<std::int64_t>(share * static_cast<double>(asked.rows));
    const double p = static_cast<double>(upper) / static_cast<double>(asked.rows);
    const Sums exact = asked.kind == "rows-count"  ? Sums{asked.rows}
                       : asked.kind == "rows-mean" ? Sums{asked.rows - upper, upper}
                                                   : Sums{asked.rows - upper, 0, upper};
    const double truth = asked.kind == "rows-count"  ? static_cast<double>(asked.rows)
                         : asked.kind == "rows-mean" ? p
                                                     : p * (1 - p);
    cells.push_back(cell_of(exact, truth, told, kept));
  }
  return over_need(cells, asked.alpha.value());
}

// A count that is published from the threshold on, half of its rows: given that it is.
double of_selected(const Question& asked) {
  const Geometric law = noise_of_rows();
  const std::int64_t threshold = asked.rows / 2;
  const auto made = bench::need(interval::SelectedInference<Geometric>::of(law, threshold, 1'000'000, asked.alpha));
  const std::int64_t reach = bench::need(law.two_sided_quantile(bench::need(Probability::of(1e-12))));
  std::deque<Told> kept;
  std::vector<Cell> cells;
  for (std::int64_t count = threshold; count <= asked.rows; count += std::max<std::int64_t>(asked.rows / 30, 1)) {
    Cell cell{{}, static_cast<double>(count)};
    double published = 0;
    for (std::int64_t y = std::max(threshold, count - reach); y <= count + reach; ++y) {
      const interval::SelectedInterval one = made.from(y);
      kept.push_back({static_cast<double>(one.value), {static_cast<double>(one.low), static_cast<double>(one.high)}});
      published += law.mass(y - count).upper;
      cell.samples.emplace_back(law.mass(y - count).upper, &kept.back());
    }
    for (auto& [mass, told] : cell.samples) mass /= published;
    cells.push_back(std::move(cell));
  }
  return over_need(cells, asked.alpha.value());
}

// ---- the difference of two groups of equal size

double of_difference(const Question& asked) {
  using Mean = interval::PopulationMeanInference<Geometric>;
  const Geometric law = hardly_any_noise();
  const auto levels = bench::need(interval::EndLevels::of(asked.alpha, interval::end_of_mean));
  std::vector<Mean> means;
  for (const Alpha level : levels.levels()) {
    means.push_back(bench::need(Mean::of(law, nodes(), unit(), level, interval::Assurance::usual, {})));
  }
  const auto deviation = std::sqrt(static_cast<double>(asked.rows)) / 2;
  const auto first = static_cast<std::int64_t>(static_cast<double>(asked.rows) / 2 - 4 * deviation);
  const auto last = asked.rows - first;
  std::vector<interval::ToldAtLevels> groups;
  for (std::int64_t k = first; k <= last; ++k) {
    groups.push_back(bench::need(interval::told_at_levels(means, sums_of(asked.rows, k))));
  }
  std::vector<Told> found;
  std::vector<double> masses;
  for (std::int64_t k = first; k <= last; ++k) {
    for (std::int64_t j = first; j <= last; ++j) {
      const double mass = binomial(asked.rows, k, 0.5) * binomial(asked.rows, j, 0.5);
      if (mass < 1e-8) continue;
      const auto made = interval::difference_of_ends(levels, groups[static_cast<std::size_t>(k - first)],
                                                     groups[static_cast<std::size_t>(j - first)]);
      found.push_back({made.value, made.interval});
      masses.push_back(mass);
    }
  }
  Cell cell{{}, 0};
  for (std::size_t i = 0; i < found.size(); ++i) cell.samples.emplace_back(masses[i], &found[i]);
  return over_need({cell}, asked.alpha.value());
}

// ---- a median, against the sign test

double of_median(const Question& asked) {
  constexpr std::int64_t points = 20'001;
  const auto statistic = bench::need(noise::RankStatistic::sample_quantile(1, 2, points));
  const double scale = static_cast<double>(statistic.row_moves()) / 1000;
  const auto law = bench::need(noise::Exponential::of(bench::need(LaplaceScale::of(scale))));
  const auto made = bench::need(interval::PopulationQuantileInference::of(
      statistic, bench::need(noise::RankGrid::of(points - 1)), law, asked.alpha));
  std::vector<noise::Occupied> rows;
  for (std::int64_t i = 1; i <= asked.rows; ++i) rows.push_back({points * i / (asked.rows + 1), 1});
  const noise::RankChoice choice(statistic, rows, made.reach());
  const auto found = bench::need(made.from(choice.candidate(0, 0)));
  double below = 0;
  std::int64_t rank = 0;
  while (below + binomial(asked.rows, rank, 0.5) <= asked.alpha.value() / 2) below += binomial(asked.rows, rank++, 0.5);
  const double needed = static_cast<double>(asked.rows + 1 - 2 * rank) / static_cast<double>(asked.rows + 1);
  return static_cast<double>(found.high - found.low) / points / needed;
}

double answer(const std::string& line) {
  std::istringstream words(line);
  std::string kind;
  std::int64_t rows = 0;
  double alpha = 0;
  words >> kind >> rows >> alpha;
  const Question asked{kind, rows, bench::need(Alpha::of(alpha))};
  if (kind == "median") return of_median(asked);
  if (kind == "difference") return of_difference(asked);
  if (kind == "selected-count") return of_selected(asked);
  if (kind.starts_with("rows-")) return of_rows(asked);
  return kind == "count" || kind == "sum" ? of_totals(asked) : of_shares(asked);
}

}  // namespace

int main() {
  bench::serve([](const std::string& line) { return bench::text(answer(line)); });
}
