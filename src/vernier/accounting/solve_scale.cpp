#include "vernier/accounting/solve_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/core/text.hpp"

namespace vernier::accounting {
namespace {

constexpr double precision = 1e-9;
constexpr double infinite = std::numeric_limits<double>::infinity();

// A scale that was tried, and ln(delta found / delta wanted) there: not above 0 exactly where it holds.
struct Trial {
  double scale;
  double excess;
  bool holds;
};

// Keeps a scale that was seen not to hold below one that was seen to hold.
class Search {
 public:
  Search(const CompositionAt& composition, ScaleRange range, privacy::Epsilon epsilon, privacy::Delta delta,
         Tightness tightness)
      : composition_(composition), range_(range), epsilon_(epsilon), delta_(delta), tightness_(tightness) {}

  Result<double> run() {
    const Result<Trial> first = trial(std::clamp(1 / epsilon_.value(), range_.least, range_.greatest));
    if (!first) return Failure(first.error());
    (first->holds ? yes_ : no_) = *first;
    const Result<bool> bracketed = first->holds ? gallop_down() : gallop_up();
    if (!bracketed) return Failure(bracketed.error());
    return *bracketed ? narrow() : yes_.scale;
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
    for (double step = 2; no_.scale < range_.greatest; step *= step) {
      const Result<Trial> next = trial(std::min(no_.scale * step, range_.greatest));
      if (!next) return Failure(next.error());
      (next->holds ? yes_ : no_) = *next;
      if (next->holds) return true;
    }
    return fail(ErrorKind::exhausted, "no scale up to " + shortest(range_.greatest) +
                                          " is certified to meet this epsilon and delta; raise "
                                          "them, or lower what the other events cost");
  }

  // Likewise downward until it does not hold; false where it holds down to the end of the range.
  Result<bool> gallop_down() {
    for (double step = 2; yes_.scale > range_.least; step *= step) {
      const Result<Trial> next = trial(std::max(yes_.scale / step, range_.least));
      if (!next) return Failure(next.error());
      (next->holds ? yes_ : no_) = *next;
      if (!next->holds) return true;
    }
    return false;
  }

  Result<double> narrow() {
    for (int step = 0; yes_.scale > no_.scale * (1 + precision); ++step) {
      const Result<Trial> next = trial(step % 3 == 2 ? middle() : aimed());
      if (!next) return Failure(next.error());
      last_held_ = next->holds;
      (next->holds ? yes_ : no_) = *next;
    }
    return yes_.scale;
  }

  double middle() const { return std::sqrt(no_.scale) * std::sqrt(yes_.scale); }

  // Where the line through both ends in (ln scale, excess) is 0, and a little beyond, so that the end moves that did
  // not move before.
  double aimed() const {
    const double share = no_.excess / (no_.excess - yes_.excess);
    const double root = no_.scale * std::pow(yes_.scale / no_.scale, share);
    const double aim = root * (last_held_ ? 1 - precision / 3 : 1 + precision / 3);
    return aim > no_.scale && aim < yes_.scale ? aim : middle();  // NaN too
  }

  const CompositionAt& composition_;
  ScaleRange range_;
  privacy::Epsilon epsilon_;
  privacy::Delta delta_;
  Tightness tightness_;
  Trial no_{}, yes_{};
  bool last_held_ = false;
};

}  // namespace

Result<double> solve_scale(const CompositionAt& composition, ScaleRange range, privacy::Epsilon epsilon,
                           privacy::Delta delta, Tightness tightness) {
  return Search(composition, range, epsilon, delta, tightness).run();
}

}  // namespace vernier::accounting
