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
    const Result<Trial> first = trial(std::clamp(1 / epsilon_.value(), range_.least, range_.greatest));
    if (!first) return Failure(first.error());
    bracket_.put(*first);
    const Result<bool> bracketed = first->holds ? gallop_down() : gallop_up();
    if (!bracketed) return Failure(bracketed.error());
    return *bracketed ? narrow() : bracket_.yes().at;
  }

 private:
  // What cannot be certified, or is refused at this scale, does not hold.
  Result<Trial> trial(double scale) const {
    const Result<Accountant> accountant = composition_(scale);
    if (!accountant) return Failure(accountant.error());
    const Result<Guarantee> found = accountant->delta(epsilon_, tightness_);
    if (!found) return Trial{scale, infinite, false};
    const double upper = found->bounds.upper;
    return Trial{scale, std::log(upper) - std::log(delta_.value()), upper <= delta_.value()};
  }

  // In steps by 2, 4, 16, 256, ... until it holds; an error where it does not up to the end of the range.
  Result<bool> gallop_up() {
    for (double step = 2; bracket_.no().at < range_.greatest; step *= step) {
      const Result<Trial> next = trial(std::min(bracket_.no().at * step, range_.greatest));
      if (!next) return Failure(next.error());
      bracket_.put(*next);
      if (next->holds) return true;
    }
    return fail(ErrorKind::exhausted, "no scale up to " + shortest(range_.greatest) +
                                          " is certified to meet this epsilon and delta; raise "
                                          "them, or lower what the other events cost");
  }

  // Likewise downward until it does not hold; false where it holds down to the end of the range.
  Result<bool> gallop_down() {
    for (double step = 2; bracket_.yes().at > range_.least; step *= step) {
      const Result<Trial> next = trial(std::max(bracket_.yes().at / step, range_.least));
      if (!next) return Failure(next.error());
      bracket_.put(*next);
      if (!next->holds) return true;
    }
    return false;
  }

  Result<double> narrow() {
    while (!bracket_.is_narrow()) {
      const Result<Trial> next = trial(bracket_.next());
      if (!next) return Failure(next.error());
      bracket_.put(*next);
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
