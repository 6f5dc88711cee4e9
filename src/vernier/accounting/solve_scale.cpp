#include "vernier/accounting/solve_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/core/text.hpp"
#include "vernier/numeric/scale_bracket.hpp"

namespace vernier::accounting {
namespace {

constexpr double precision = 1e-9;
using Trial = numeric::ScaleTrial;  // of delta

constexpr double infinite = std::numeric_limits<double>::infinity();

class Search {
 public:
  Search(const CompositionAt& composition, ScaleRange range, privacy::Epsilon epsilon, privacy::Delta delta,
         Tightness tightness)
      : composition_(composition), range_(range), epsilon_(epsilon), delta_(delta), tightness_(tightness) {}

  Result<double> run() {
    VERNIER_TRY(const Trial first, trial(std::clamp(1 / epsilon_.value(), range_.least, range_.greatest)));
    bracket_.put(first);
    VERNIER_TRY(const bool bracketed, first.holds ? gallop_down() : gallop_up());
    return bracketed ? narrow() : bracket_.yes().at;
  }

 private:
  // What cannot be certified, or is refused at this scale, does not hold.
  Result<Trial> trial(double scale) const {
    VERNIER_TRY(const Accountant accountant, composition_(scale));
    const Result<Guarantee> found = accountant.delta(epsilon_, tightness_);
    if (!found) return Trial{scale, infinite, false};
    const double upper = found->bounds.upper;
    return Trial{scale, std::log(upper) - std::log(delta_.value()), upper <= delta_.value()};
  }

  // In steps by 2, 4, 16, 256, ... until it holds; an error where it does not up to the end of the range.
  Result<bool> gallop_up() {
    for (double step = 2; bracket_.no().at < range_.greatest; step *= step) {
      VERNIER_TRY(const Trial next, trial(std::min(bracket_.no().at * step, range_.greatest)));
      bracket_.put(next);
      if (next.holds) return true;
    }
    return fail(ErrorKind::exhausted, "no scale up to " + shortest(range_.greatest) +
                                          " is certified to meet this epsilon and delta; raise "
                                          "them, or lower what the other events cost");
  }

  // Likewise downward until it does not hold; false where it holds down to the end of the range.
  Result<bool> gallop_down() {
    for (double step = 2; bracket_.yes().at > range_.least; step *= step) {
      VERNIER_TRY(const Trial next, trial(std::max(bracket_.yes().at / step, range_.least)));
      bracket_.put(next);
      if (!next.holds) return true;
    }
    return false;
  }

  Result<double> narrow() {
    while (!bracket_.is_narrow()) {
      VERNIER_TRY(const Trial next, trial(bracket_.next()));
      bracket_.put(next);
    }
    return bracket_.yes().at;
  }

  const CompositionAt& composition_;
  ScaleRange range_;
  privacy::Epsilon epsilon_;
  privacy::Delta delta_;
  Tightness tightness_;
  numeric::ScaleBracket bracket_{precision};
};

}  // namespace

Result<double> solve_scale(const CompositionAt& composition, ScaleRange range, privacy::Epsilon epsilon,
                           privacy::Delta delta, Tightness tightness) {
  return Search(composition, range, epsilon, delta, tightness).run();
}

}  // namespace vernier::accounting
