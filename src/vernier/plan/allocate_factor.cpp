#include "vernier/plan/allocate_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/core/text.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/scale_bracket.hpp"

namespace vernier::plan {
namespace {

// Of the factor. What has a closed form is found to the last digits; sums of many losses are known to 1e-5.
constexpr double usual_precision = 1e-6;
constexpr double closed_precision = 1e-13;

bool has_closed_form(const Pricing& pricing) {
  const auto& items = pricing.items();
  return pricing.delta().is_pure() || (items.size() == 1 && !items.front().keys && items.front().coordinates == 1);
}

struct FactorRange {
  double least;     // all free scales are at the least that the laws take, or below it
  double greatest;  // none is above the greatest
};

FactorRange range_of(const std::vector<NoiseItem>& items, const Choice& choice) {
  FactorRange range{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < items.size(); ++i) {
    const double base = items[i].base[static_cast<std::size_t>(choice[i])];
    if (!items[i].is_free) continue;
    range.least = std::min(range.least, noise::least_integer_scale / base);
    range.greatest = std::min(range.greatest, noise::greatest_integer_scale / base * (1 - 0x1p-50));
  }
  return range;
}

using Trial = numeric::ScaleTrial;  // of epsilon

class Search {
 public:
  Search(const Pricing& pricing, const Choice& choice, double epsilon)
      : pricing_(pricing),
        choice_(choice),
        epsilon_(epsilon),
        range_(range_of(pricing.items(), choice)),
        bracket_(has_closed_form(pricing) ? closed_precision : usual_precision) {}

  Result<double> run(double guess) {
    Trial here = trial(std::clamp(guess, range_.least, range_.greatest));
    const bool starts_above = here.holds;
    while (here.holds == starts_above) {
      bracket_.put(here);
      const double end = starts_above ? range_.least : range_.greatest;
      if (here.at == end) return starts_above ? Result<double>(end) : nothing_left();
      here = trial(std::clamp(beyond(here), range_.least, range_.greatest));
    }
    bracket_.put(here);
    while (!bracket_.is_narrow()) bracket_.put(trial(bracket_.next()));
    return bracket_.yes().at;
  }

 private:
  Trial trial(double factor) const {
    const double found = pricing_.epsilon(choice_, factor, accounting::Tightness::usual());
    return {factor, std::log(found / epsilon_), found <= epsilon_};
  }

  // Epsilon falls about as the factor grows: where it would be met, and a little further.
  static double beyond(Trial here) {
    const double step = std::clamp(std::fabs(here.excess) * 1.05 + 0.01, 0.0, 5.0);
    return here.at * std::exp(here.holds ? -step : step);
  }

  static Failure nothing_left() {
    return invalid("the budget leaves nothing for the columns without a target: no scale up to " +
                   shortest(noise::greatest_integer_scale) +
                   " makes their noise large enough; raise the budget, relax the targets, or declare narrower bounds");
  }

  const Pricing& pricing_;
  const Choice& choice_;
  double epsilon_;
  FactorRange range_;
  numeric::ScaleBracket bracket_;
};

}  // namespace

Result<double> least_factor(const Pricing& pricing, const Choice& choice, double epsilon, double guess) {
  return Search(pricing, choice, epsilon).run(guess);
}

}  // namespace vernier::plan
