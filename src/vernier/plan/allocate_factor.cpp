#include "vernier/plan/allocate_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/core/text.hpp"
#include "vernier/noise/integer_scale.hpp"

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

// A factor that was tried, and ln(epsilon found / epsilon allowed) there.
struct Trial {
  double factor;
  double excess;
  bool holds() const { return excess <= 0; }
};

// Keeps a factor that was seen not to hold below one that was seen to hold.
class Search {
 public:
  Search(const Pricing& pricing, const Choice& choice, double epsilon)
      : pricing_(pricing),
        choice_(choice),
        epsilon_(epsilon),
        precision_(has_closed_form(pricing) ? closed_precision : usual_precision),
        range_(range_of(pricing.items(), choice)) {}

  Result<double> run(double guess) {
    Trial here = trial(std::clamp(guess, range_.least, range_.greatest));
    const bool starts_above = here.holds();
    while (here.holds() == starts_above) {
      (here.holds() ? yes_ : no_) = here;
      const double end = starts_above ? range_.least : range_.greatest;
      if (here.factor == end) return starts_above ? Result<double>(end) : nothing_left();
      here = trial(std::clamp(beyond(here), range_.least, range_.greatest));
    }
    (here.holds() ? yes_ : no_) = here;
    return narrow();
  }

 private:
  Trial trial(double factor) const {
    const double found = pricing_.epsilon(choice_, factor, accounting::Tightness::usual());
    return {factor, found <= epsilon_ ? std::min(0.0, std::log(found / epsilon_)) : std::log(found / epsilon_)};
  }

  // Epsilon falls about as the factor grows: where it would be met, and a little further.
  static double beyond(Trial here) {
    const double step = std::clamp(std::fabs(here.excess) * 1.05 + 0.01, 0.0, 5.0);
    return here.factor * std::exp(here.holds() ? -step : step);
  }

  double narrow() {
    for (int step = 0; yes_.factor > no_.factor * (1 + precision_); ++step) {
      const Trial next = trial(step % 3 == 2 ? middle() : aimed());
      last_held_ = next.holds();
      (next.holds() ? yes_ : no_) = next;
    }
    return yes_.factor;
  }

  double middle() const { return std::sqrt(no_.factor) * std::sqrt(yes_.factor); }

  // Where the line through both ends in (ln factor, excess) is 0, and a little beyond, so that the end moves that did
  // not move before.
  double aimed() const {
    const double share = no_.excess / (no_.excess - yes_.excess);
    const double root = no_.factor * std::pow(yes_.factor / no_.factor, share);
    const double aim = root * (last_held_ ? 1 - precision_ / 3 : 1 + precision_ / 3);
    return aim > no_.factor && aim < yes_.factor ? aim : middle();  // NaN too
  }

  static Failure nothing_left() {
    return invalid("the budget leaves nothing for the columns without a target: no scale up to " +
                   shortest(noise::greatest_integer_scale) +
                   " makes their noise large enough; raise the budget, relax the targets, or declare narrower bounds");
  }

  const Pricing& pricing_;
  const Choice& choice_;
  double epsilon_;
  double precision_;
  FactorRange range_;
  Trial no_{}, yes_{};
  bool last_held_ = false;
};

}  // namespace

Result<double> least_factor(const Pricing& pricing, const Choice& choice, double epsilon, double guess) {
  return Search(pricing, choice, epsilon).run(guess);
}

}  // namespace vernier::plan
