#include "vernier/accounting/optimal.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "vernier/accounting/least_epsilon.hpp"
#include "vernier/accounting/pure_loss.hpp"

namespace vernier::accounting {
namespace {

constexpr double most_times = 1e9;

// How often each epsilon occurs.
std::map<std::pair<double, double>, double> grouped(Statements statements) {
  std::map<std::pair<double, double>, double> groups;
  for (const Statement& one : statements) groups[{one.epsilon.lower, one.epsilon.upper}] += one.times;
  return groups;
}

}  // namespace

// The law of the summed loss. A search for epsilon begins where Hoeffding's inequality would end.
class OptimalComposition::Loss {
 public:
  explicit Loss(const std::vector<PureGroup>& groups) : law_(law_of(groups)) {
    for (const auto& [epsilon, times] : groups) {
      const double tangent = std::tanh(epsilon / 2);
      mean_ += times * epsilon * tangent;
      variance_ += times * epsilon * epsilon * (1 - tangent * tangent);
    }
  }

  Bounds delta(double epsilon) const {
    return std::visit([&](const auto& law) { return law.delta(epsilon); }, law_);
  }
  Bounds epsilon(double delta, double sum) const {
    return epsilon(delta, sum, std::min(mean_ + std::sqrt(-2 * std::log(delta) * variance_), 0.9 * sum));
  }
  Bounds epsilon(double delta, double sum, double guess) const {
    return std::visit([&](const auto& law) { return certified_epsilon(law, delta, guess, sum); }, law_);
  }

 private:
  using Law = std::variant<BinomialLoss, EnumeratedLoss>;
  static Law law_of(const std::vector<PureGroup>& groups) {
    if (groups.size() == 1) return BinomialLoss(groups.front().epsilon, groups.front().times);
    return EnumeratedLoss(groups);
  }
  Law law_;
  double mean_ = 0;
  double variance_ = 0;
};

std::optional<OptimalComposition> OptimalComposition::of(Statements statements) {
  std::vector<PureGroup> least, greatest;
  bool is_certain = true;  // every epsilon is one double
  for (const auto& [epsilon, times] : grouped(statements)) {
    least.push_back({epsilon.first, times});
    greatest.push_back({epsilon.second, times});
    is_certain = is_certain && epsilon.first == epsilon.second;
  }
  if (least.empty()) return std::nullopt;
  const bool is_exact = least.size() == 1 ? least.front().times <= most_times
                                          : EnumeratedLoss::size_of(least) <= EnumeratedLoss::greatest_size;
  if (!is_exact) return std::nullopt;
  const auto low = std::make_shared<const Loss>(least);
  const auto high = is_certain ? low : std::make_shared<const Loss>(greatest);
  return OptimalComposition(low, high, any_failure(statements), sum_of_epsilons(statements));
}

Bounds OptimalComposition::delta(double epsilon) const {
  const Bounds high = epsilon >= sum_.upper ? Bounds{0, 0} : greatest_->delta(epsilon);
  const Bounds low = least_ == greatest_ ? high : least_->delta(epsilon);
  return with_failure(failure_, {low.lower, high.upper});
}

Result<Bounds> OptimalComposition::epsilon(double delta) const {
  const Bounds rest = without_failure(failure_, delta);
  if (!(rest.lower >= 0)) return below_failure(failure_, delta);
  if (rest.upper == 0) return sum_;
  if (rest.lower == rest.upper && least_ == greatest_) return greatest_->epsilon(rest.lower, sum_.upper);
  const double upper = rest.lower == 0 ? sum_.upper : greatest_->epsilon(rest.lower, sum_.upper).upper;
  return Bounds{least_->epsilon(rest.upper, sum_.upper, upper).lower, upper};
}

}  // namespace vernier::accounting
