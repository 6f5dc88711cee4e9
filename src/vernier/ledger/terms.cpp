#include "vernier/ledger/terms.hpp"

#include <array>
#include <cmath>
#include <string>

#include "vernier/accounting/rdp.hpp"
#include "vernier/accounting/zcdp.hpp"
#include "vernier/core/text.hpp"
#include "vernier/numeric/search.hpp"

namespace vernier::ledger {
namespace {

using numeric::Rational;

constexpr std::array orders{1.25, 1.5,  2.0,   3.0,   4.0,   6.0,   8.0,   12.0,  16.0,   24.0,   32.0,   48.0,
                            64.0, 96.0, 128.0, 192.0, 256.0, 384.0, 512.0, 768.0, 1024.0, 2048.0, 4096.0, 8192.0};

constexpr std::string_view rdp_theorem =
    "Rényi filter at one order (Feldman and Zrnic 2021; with delta: Whitehouse, Ramdas, Rogers and Wu 2023)";

// Forty bits of it: a cap is the same on every machine, whatever the last digits of its logarithms.
double forty_bits_down(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::floor(std::ldexp(fraction, 40)), exponent - 40);
}

// Epsilon, and half of delta, rounded down.
struct Budget {
  double epsilon;
  double delta;
};

Result<Budget> convertible(const Terms& terms) {
  const Budget found{terms.epsilon.round_down(), half_of(terms.delta).round_down()};
  if (found.epsilon > 0 && found.delta > 0) return found;
  return invalid("the accountant " + std::string(name_of(terms.accountant)) +
                 " needs an epsilon and a delta above 0, but they are " + shortest(terms.epsilon.round_down()) +
                 " and " + shortest(terms.delta.round_down()) + "; give both, or use the accountant pure");
}

bool converts(double order, double divergence, const Budget& budget) {
  const auto curve = [&](double) { return divergence; };
  return accounting::rdp_delta(curve, budget.epsilon, {{order}, false}).figure <= budget.delta;
}

// The greatest divergence of this order, of forty bits; 0 where there is none.
double greatest_divergence(double order, const Budget& budget) {
  const auto is_too_much = [&](double divergence) { return !converts(order, divergence, budget); };
  const Result<double> least = numeric::least_double(is_too_much, budget.epsilon, {0, 1e9});
  const double found = least ? forty_bits_down(std::nextafter(*least, 0)) : 0;
  return found > 0 && converts(order, found, budget) ? found : 0;
}

Rational exact(double value) { return *Rational::of(value); }

}  // namespace

std::string_view name_of(Accountant accountant) {
  switch (accountant) {
    case Accountant::pure:
      return "pure";
    case Accountant::approximate:
      return "approximate";
    case Accountant::zcdp:
      return "zcdp";
    case Accountant::rdp:
      return "rdp";
  }
  return "";
}

Rational half_of(const Rational& delta) { return delta * exact(0.5); }

Result<double> rho_of(const Terms& terms) {
  const Result<Budget> budget = convertible(terms);
  if (!budget) return Failure(budget.error());
  const auto fits = [&](double rho) { return accounting::zcdp_delta(rho, budget->epsilon) <= budget->delta; };
  const auto is_too_much = [&](double rho) { return !fits(rho); };
  const Result<double> least = numeric::least_double(is_too_much, 0.01, {1e-20, 1e8});
  const double rho = least ? forty_bits_down(std::nextafter(*least, 0)) : 1e8;
  if (fits(rho)) return rho;
  return invalid("no rho converts to epsilon " + shortest(budget->epsilon) + " at half of the delta, " +
                 shortest(budget->delta) + "; give a larger epsilon or delta, or use the accountant pure");
}

// Per unit of rho the best order for Gaussian noise, whose divergence is order times rho.
Result<RenyiBudget> renyi_budget_of(const Terms& terms) {
  const Result<Budget> budget = convertible(terms);
  if (!budget) return Failure(budget.error());
  RenyiBudget best{2, 0};
  for (const double order : orders) {
    const double divergence = greatest_divergence(order, *budget);
    if (divergence / order > best.divergence / best.order) best = {order, divergence};
  }
  if (best.divergence > 0) return best;
  return invalid("no Rényi order converts to epsilon " + shortest(budget->epsilon) + " at half of the delta, " +
                 shortest(budget->delta) + "; give a larger epsilon or delta, or use the accountant pure");
}

Result<accounting::Filter> filter_of(const Terms& terms) {
  switch (terms.accountant) {
    case Accountant::pure:
      return accounting::pure_filter(terms.epsilon);
    case Accountant::approximate:
      return accounting::approximate_filter(terms.epsilon, terms.delta);
    case Accountant::zcdp:
      break;
    case Accountant::rdp:
      return renyi_budget_of(terms).and_then([&](const RenyiBudget& budget) {
        return accounting::Filter::of(
            std::string(rdp_theorem),
            {{"the Rényi divergence of order " + shortest(budget.order), exact(budget.divergence)},
             {"delta", half_of(terms.delta)}});
      });
  }
  return rho_of(terms).and_then([&](double rho) { return accounting::zcdp_filter(exact(rho), half_of(terms.delta)); });
}

}  // namespace vernier::ledger
