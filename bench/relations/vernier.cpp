// Vernier in the benchmark of relations: the node sums of a pair and of four columns, with noise by the sampler that
// ships, and their intervals. Speaks the protocol of bench/README.md; the lines are those of bench/relations/cases.py.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "bench/contender.hpp"
#include "vernier/interval/regression/regression.hpp"
#include "vernier/interval/relation/relation.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/random/source.hpp"

namespace {

using namespace vernier;
using namespace vernier::interval;

using bench::need;
using bench::NotMeasured;

constexpr std::int64_t x_steps = 15, y_steps = 150;
constexpr std::size_t least_releases = 200;

struct Asked {
  std::string figure;
  std::uint64_t rows;
  double epsilon;
};

Asked parse(const std::string& line) {
  std::istringstream words(line);
  Asked asked;
  if (!(words >> asked.figure >> asked.rows >> asked.epsilon)) throw NotMeasured("the case cannot be read");
  return asked;
}

double evenly(std::uint64_t i, std::uint64_t factor) {
  return static_cast<double>(i * factor % (std::uint64_t{1} << 32)) / 0x1p32;
}

// The pairs of cases.py.
std::vector<std::pair<std::int64_t, std::int64_t>> pairs(std::uint64_t rows) {
  std::vector<std::pair<std::int64_t, std::int64_t>> made;
  for (std::uint64_t i = 1; i <= rows; ++i) {
    const auto x = static_cast<std::int64_t>(16 * std::pow(evenly(i, 2654435761U), 0.7));
    const double y = 20 + 5 * static_cast<double>(x) + 60 * (evenly(i, 2246822519U) + evenly(i, 3266489917U) - 1);
    made.emplace_back(x, std::clamp(static_cast<std::int64_t>(y + 0.5), std::int64_t{0}, y_steps));
  }
  return made;
}

// A pair with its sums, and what is true of it: range over range.
struct Pair {
  PairShape shape{{x_steps, 0, 1}, {y_steps, 0, 1}, 1, 1'000'000};
  std::vector<std::int64_t> sums = std::vector<std::int64_t>(pair_nodes);
  double slope = 0, squares_x = 0;

  explicit Pair(std::uint64_t rows) {
    double mx = 0, my = 0, xy = 0;
    const auto all = pairs(rows);
    const auto n = static_cast<double>(rows);
    const auto x = [](const auto& row) { return static_cast<double>(row.first) / x_steps; };
    const auto y = [](const auto& row) { return static_cast<double>(row.second) / y_steps; };
    for (const auto& row : all) {
      mx += x(row) / n, my += y(row) / n;
      const auto added = pair_row(shape, row.first, row.second);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += added[i];
    }
    for (const auto& row : all) {
      squares_x += (x(row) - mx) * (x(row) - mx), xy += (x(row) - mx) * (y(row) - my);
    }
    slope = xy / squares_x;
    mean_x = 2 * mx - 1, mean_y = 2 * my - 1;
  }
  double mean_x = 0, mean_y = 0;  // between -1 and 1
};

noise::Geometric law_for(std::int64_t weight, double epsilon) {
  return need(noise::Geometric::of(need(LaplaceScale::of(static_cast<double>(weight) / epsilon))));
}

// What is told of many releases.
struct Told {
  std::vector<double> errors, halves;

  static double quantile(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  }
};

Told released(const Asked& asked, const Pair& pair, double seconds) {
  const noise::Geometric law = law_for(pair.shape.weight(), asked.epsilon);
  const noise::IntegerSampler sampler(law);
  const auto inference = need(RelationInference::of(pair_law(law), pair.shape, *Alpha::of(0.05), Relation::slope));
  random::Source& source = *need(random::thread_source());
  Told told;
  for (const double start = bench::thread_seconds();
       told.errors.size() < least_releases || bench::thread_seconds() - start < seconds;) {
    std::vector<std::int64_t> sums = pair.sums;
    for (std::int64_t& one : sums) one += need(sampler.draw(source));
    const RelationInterval found = need(inference.from(sums));
    told.errors.push_back(std::abs(found.value - pair.slope));
    told.halves.push_back((found.interval.high - found.interval.low) / 2);
  }
  return told;
}

// Of the slope with its means and itself taken for known.
double plug_in(const Asked& asked, const Pair& pair) {
  const PairNodeNoise noise =
      PairNodeNoise::of(pair_law(law_for(pair.shape.weight(), asked.epsilon)), pair.shape.weight(), *Alpha::of(0.05));
  PairSizes sizes{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double x = i - 1 - pair.mean_x, y = j - 1 - pair.mean_y, bend = i == 1 ? 1 : 0;
      sizes[static_cast<std::size_t>(3 * i + j)] = std::abs(x * y - pair.slope * (x * x - bend));
    }
  }
  return noise.reach(sizes) / (4 * pair.squares_x);  // squares between -1 and 1
}

double milliseconds(const auto& call, double seconds) {
  const double start = bench::thread_seconds();
  int calls = 0;
  while (calls < 5 || bench::thread_seconds() - start < seconds / 4) call(), ++calls;
  return 1000 * (bench::thread_seconds() - start) / calls;
}

double slope_time(const Asked& asked, const Pair& pair, double seconds) {
  const auto law = pair_law(law_for(pair.shape.weight(), asked.epsilon));
  const auto inference = need(RelationInference::of(law, pair.shape, *Alpha::of(0.05), Relation::slope));
  return milliseconds([&] { need(inference.from(pair.sums)); }, seconds);
}

// All seven figures of y on four columns.
double regression_time(const Asked& asked, double seconds) {
  MomentShape shape{.columns = std::vector<MomentColumn>(5, {0, 1}), .weight = 1 << 20, .row_limit = 1'000'000};
  std::vector<std::int64_t> sums(shape.numbers());
  for (std::uint64_t i = 1; i <= asked.rows; ++i) {
    std::vector<double> u;
    for (const std::uint64_t factor : {2654435761U, 2246822519U, 3266489917U, 668265263U})
      u.push_back(evenly(i, factor));
    u.push_back(0.2 + 0.15 * (u[0] + u[1] + u[2] + u[3]));
    const auto row = moment_row(shape, u);
    for (std::size_t k = 0; k < row.size(); ++k) sums[k] += row[k];
  }
  const PairLaw law{false, 16 * static_cast<double>(shape.weight) / asked.epsilon};
  std::vector<RegressionInference> all;
  for (std::size_t place = 0; place < 5; ++place)
    all.push_back(need(RegressionInference::of(law, shape, *Alpha::of(0.05), {RegressionPart::coefficient, place})));
  for (const RegressionPart part : {RegressionPart::deviation, RegressionPart::explained})
    all.push_back(need(RegressionInference::of(law, shape, *Alpha::of(0.05), {part})));
  return milliseconds(
      [&] {
        for (const RegressionInference& one : all) need(one.from(sums));
      },
      seconds);
}

double figure(const Asked& asked, double seconds) {
  if (asked.figure == "regression") return regression_time(asked, seconds);
  const Pair pair(asked.rows);
  if (asked.figure == "slope") return slope_time(asked, pair, seconds);
  const Told told = released(asked, pair, seconds);
  const double half = Told::quantile(told.halves, 0.5), error = Told::quantile(told.errors, 0.95);
  if (asked.figure == "error") return error;
  if (asked.figure == "margin") return half / error;
  if (asked.figure == "plug-in") return half / plug_in(asked, pair);
  const auto law = pair_law(law_for(pair.shape.weight(), asked.epsilon));
  const double forecast =
      relation_accuracy(law, pair.shape, *Alpha::of(0.05), Relation::slope, static_cast<double>(asked.rows));
  return std::max(forecast / half, half / forecast);
}

}  // namespace

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) : 1;
  bench::serve([&](const std::string& line) { return bench::text(figure(parse(line), seconds)); });
}
