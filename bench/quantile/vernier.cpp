// Vernier in the quantile benchmark: from a million values to a quantile with its interval.
// Usage: PROGRAM SECONDS DRAWS FILE. Speaks the protocol of bench/README.md.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "bench/contender.hpp"
#include "vernier/engine/aggregate_states.hpp"
#include "vernier/interval/rows/quantile.hpp"
#include "vernier/noise/value_choice.hpp"
#include "vernier/random/source.hpp"

namespace {

using namespace vernier;
using noise::Occupied;

constexpr std::int64_t greatest = 200'000;
constexpr std::int64_t parts = 10'000;  // of which fractions count
constexpr int neighbours = 20;
constexpr double least_error = 0.5;  // a smaller one counts as that

std::vector<std::int32_t> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<std::int32_t> values(static_cast<std::size_t>(std::max<std::streamoff>(file.tellg(), 0)) / 4);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(4 * values.size()));
  return values;
}

// As the engine's aggregate does it.
std::vector<Occupied> histogram_of(const std::vector<std::int32_t>& values) {
  engine::ValueCountsState state;
  for (const std::int32_t value : values) state.add(value, 1);
  std::vector<Occupied> rows;
  rows.reserve(state.size());
  state.for_each([&](const auto& slot) { rows.push_back({slot.value, slot.count}); });
  std::sort(rows.begin(), rows.end(), [](const Occupied& a, const Occupied& b) { return a.point < b.point; });
  return rows;
}

// Of sorted errors in whole ranks, each of which is a rank wide, as bench/quantile/cases.py has it.
double exceeded_by_five_in_a_hundred(const std::vector<double>& errors) {
  const double found = errors[(95 * errors.size() - 1) / 100];
  const auto nearer = std::lower_bound(errors.begin(), errors.end(), found - 0.5);
  const auto alike = std::upper_bound(errors.begin(), errors.end(), found + 0.5) - nearer;
  const double wanted = 0.95 * static_cast<double>(errors.size()) - static_cast<double>(nearer - errors.begin());
  return std::max(least_error, found - 0.5 + wanted / static_cast<double>(alike));
}

class Contender {
 public:
  Contender(random::Source source, double seconds, int draws, std::vector<std::int32_t> values)
      : source_(std::move(source)), seconds_(seconds), draws_(draws), values_(std::move(values)) {
    rows_ = histogram_of(values_);
  }

  // "rank error P" or "time P".
  std::string answer(const std::string& line) {
    const std::size_t blank = line.rfind(' ');
    const auto fraction = std::llround(std::atof(line.substr(blank + 1).c_str()) * parts);
    if (line.starts_with("time")) {
      const auto inference = inference_of(fraction);
      const auto call = [&] { return static_cast<double>(draw(inference, histogram_of(values_))); };
      return bench::text(1e3 * bench::call_seconds(call, seconds_));
    }
    const std::vector<double>& errors = errors_of(fraction);
    if (line.starts_with("mean")) {
      return bench::text(std::max(least_error, std::accumulate(errors.begin(), errors.end(), 0.0) / draws_));
    }
    return bench::text(exceeded_by_five_in_a_hundred(errors));
  }

 private:
  // Sorted; of fractions around this one in turn, as bench/quantile/cases.py has them. Drawn once.
  const std::vector<double>& errors_of(std::int64_t fraction) {
    std::vector<double>& errors = errors_[fraction];
    if (!errors.empty()) return errors;
    for (int neighbour = 0; neighbour < neighbours; ++neighbour) {
      const std::int64_t one = fraction + neighbour - neighbours / 2;
      const auto inference = inference_of(one);
      for (int i = neighbour; i < draws_; i += neighbours) errors.push_back(rank_error(one, draw(inference, rows_)));
    }
    std::sort(errors.begin(), errors.end());
    return errors;
  }

  // One row moves D by max(a, b - a): at this scale a choice costs epsilon 1.
  static interval::ValueQuantileInference inference_of(std::int64_t fraction) {
    const auto grid = bench::need(noise::RankGrid::of(greatest));
    const auto statistic = bench::need(noise::RankStatistic::quantile(fraction, parts, grid.points()));
    const auto scale = bench::need(LaplaceScale::of(static_cast<double>(statistic.row_moves())));
    const auto law = bench::need(noise::Exponential::of(scale));
    return bench::need(interval::ValueQuantileInference::of(statistic, grid, law, bench::need(Alpha::of(0.05))));
  }

  std::int64_t draw(const interval::ValueQuantileInference& inference, const std::vector<Occupied>& rows) {
    const auto ends =
        bench::need(noise::draw_points(inference.law(), inference.statistic(), rows, inference.reach(), source_));
    return bench::need(inference.from(ends)).value;
  }

  double rank_error(std::int64_t fraction, std::int64_t value) const {
    const double wanted = static_cast<double>(fraction) * static_cast<double>(values_.size()) / parts;
    double below = 0, up_to = 0;
    for (const Occupied& one : rows_) {
      if (one.point < value) below += static_cast<double>(one.rows);
      if (one.point <= value) up_to += static_cast<double>(one.rows);
    }
    return std::max({0.0, wanted - up_to, below - wanted});
  }

  random::Source source_;
  double seconds_;
  int draws_;
  std::vector<std::int32_t> values_;
  std::vector<Occupied> rows_;
  std::map<std::int64_t, std::vector<double>> errors_;  // of each fraction
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::cerr << "give the CPU seconds of a figure, the number of draws and the file of values\n";
    return 2;
  }
  Result<random::Source> source = random::Source::open();
  if (!source) {
    std::cerr << source.error().sentence() << '\n';
    return 1;
  }
  Contender contender(std::move(*source), std::atof(arguments[1]), std::atoi(arguments[2]), read(arguments[3]));
  bench::serve([&](const std::string& line) { return contender.answer(line); });
}
