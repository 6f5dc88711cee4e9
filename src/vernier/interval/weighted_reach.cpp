#include "vernier/interval/weighted_reach.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "vernier/interval/bentkus.hpp"
#include "vernier/noise/rank_reach.hpp"

namespace vernier::interval {
namespace {

constexpr double raised = 1 + 0x1p-40;    // pays for the roundings of variances and steps
constexpr double greatest_ratio = 1000;   // beyond, larger summands are allowed: costs 1 %
constexpr double least_ratio = 1;         // below, a larger variance is allowed
constexpr double part_unresolved = 1e-4;  // of what is rare
constexpr std::int64_t greatest_reach = std::int64_t{1} << 60;
// Of alpha, for the sample: the one with the least reach is taken, which depends on no data.
constexpr std::array<double, 9> splits = {1.0 / 16, 1.0 / 8, 1.0 / 4, 3.0 / 8,  1.0 / 2,
                                          5.0 / 8,  3.0 / 4, 7.0 / 8, 15.0 / 16};

// A sum of independent summands of mean 0, none above `step`, that has this variance at most.
struct Sum {
  double variance, step;
};

// Where P[sum >= x] <= chance is certain; infinite where it is nowhere.
class OneSide {
 public:
  OneSide(const Sum& sum, double least)
      : OneSide(sum, std::max(sum.variance / (sum.step * sum.step), least_ratio), least) {}

  double reach(double chance) const {
    double beyond = law_.at_infinity(), found = HUGE_VAL;
    for (auto atom = law_.atoms().rbegin(); atom != law_.atoms().rend() && beyond * raised <= chance; ++atom) {
      found = atom->place * step_;
      beyond += atom->mass;
    }
    return found;
  }

 private:
  OneSide(const Sum& sum, double ratio, double least)
      : law_(BentkusLaw::of(std::min(ratio, greatest_ratio), least)),
        step_(std::max(std::sqrt(std::max(sum.variance, sum.step * sum.step) / law_.ratio()), sum.step) * raised) {}
  BentkusLaw law_;
  double step_;
};

// Of D at the quantile, to either side: a row adds a steps of the heaviest to one and b - a to the other at most.
Sum sample_of(const noise::RankStatistic& statistic, std::int64_t most_rows, std::int64_t heaviest) {
  const auto a = static_cast<double>(statistic.numerator()), b = static_cast<double>(statistic.denominator());
  const auto h = static_cast<double>(heaviest);
  return {static_cast<double>(most_rows) * a * (b - a) * h * h * raised, std::max(a, b - a) * h * raised};
}

Result<void> check_rows(const noise::RankStatistic& statistic, std::int64_t most_rows, std::int64_t heaviest) {
  if (statistic.ends() != noise::Ends::both) {
    return invalid("MIN and MAX of a population cannot be told from a sample; ask for a quantile");
  }
  if (heaviest >= 1 && most_rows >= 0 && most_rows <= statistic.rows_that_fit() / heaviest) return {};
  return invalid(
      "a quantile of weighted rows needs weights of one step at least that stay within 61 bits for all rows together; "
      "declare a smaller row limit, or a coarser granularity of the weight");
}

}  // namespace

Result<double> weighted_sampling_reach(const noise::RankStatistic& statistic, std::int64_t most_rows,
                                       std::int64_t heaviest, Probability rare) {
  if (const Result<void> checked = check_rows(statistic, most_rows, heaviest); !checked)
    return Failure(checked.error());
  if (most_rows == 0) return 0.0;
  const double each = rare.value() / 2;
  return OneSide(sample_of(statistic, most_rows, heaviest), each * part_unresolved).reach(each);
}

Result<std::int64_t> weighted_population_reach(const noise::Exponential& law, const noise::RankStatistic& statistic,
                                               Alpha alpha, std::int64_t most_rows, std::int64_t heaviest) {
  if (const Result<void> checked = check_rows(statistic, most_rows, heaviest); !checked)
    return Failure(checked.error());
  if (most_rows == 0) return noise::reach_of(law, statistic, alpha);
  const OneSide sample(sample_of(statistic, most_rows, heaviest), alpha.value() * splits.front() / 2 * part_unresolved);
  double least = HUGE_VAL;
  for (const double split : splits) {
    const double of_sample = alpha.value() * split;
    const auto rest = Alpha::of((alpha.value() - of_sample) * (1 - 0x1p-50));
    if (!rest) return Failure(rest.error());
    const Result<std::int64_t> of_choice = noise::reach_of(law, statistic, *rest);
    if (!of_choice) return of_choice;
    least = std::min(least, std::ceil(sample.reach(of_sample / 2)) + static_cast<double>(*of_choice));
  }
  if (least < static_cast<double>(greatest_reach))
    return static_cast<std::int64_t>(std::nextafter(least, HUGE_VAL)) + 1;
  return fail(ErrorKind::exhausted,
              "the reach of a quantile of weighted rows leaves 60 bits; declare a smaller row limit");
}

}  // namespace vernier::interval
