#include "vernier/ledger/price.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "vernier/accounting/adaptive.hpp"
#include "vernier/accounting/methods.hpp"
#include "vernier/core/text.hpp"
#include "vernier/numeric/meant.hpp"

namespace vernier::ledger {
namespace {

using numeric::Rational;

constexpr std::int64_t most_quanta = 1'000'000'000'000'000'000;

// A spend beyond this is refused anyway; two of them still add up in 64 bits.
constexpr std::int64_t greatest_spend = 4 * most_quanta;

Rational power_of_ten(int exponent) { return *Rational::of_decimal("1e" + std::to_string(exponent)); }

Rational ratio(const Rational& a, const Rational& b) { return *quotient(a, b); }

// Of nothing 1e-18, so that a spend of anything is more than nothing.
Rational quantum_of(const Rational& budget) {
  if (!(budget > Rational::of(0))) return power_of_ten(-18);
  const Rational most = Rational::of(most_quanta);
  int exponent = -numeric::greatest_decimal_exponent;
  for (int step = 8192; step > 0; step /= 2) {
    if (budget > most * power_of_ten(exponent + step - 1)) exponent += step;
  }
  return power_of_ten(exponent);
}

std::int64_t spend_of(const Rational& amount, const Rational& quantum) {
  const Result<std::int64_t> quanta = ratio(amount, quantum).ceil();
  return quanta ? std::clamp(*quanta, std::int64_t{0}, greatest_spend) : greatest_spend;
}

std::int64_t budget_of(const Rational& amount, const Rational& quantum) {
  return std::max(std::int64_t{0}, *ratio(amount, quantum).floor());
}

}  // namespace

Quanta Quanta::of(const Rational& epsilon, const Rational& delta) {
  Rational epsilon_quantum = quantum_of(epsilon), delta_quantum = quantum_of(delta);
  const Cost budget{budget_of(epsilon, epsilon_quantum), budget_of(delta, delta_quantum)};
  return {std::move(epsilon_quantum), std::move(delta_quantum), budget};
}

Cost Quanta::spend(const Rational& epsilon, const Rational& delta) const {
  return {spend_of(epsilon, epsilon_), spend_of(delta, delta_)};
}

Rational Quanta::epsilon(std::int64_t quanta) const { return Rational::of(quanta) * epsilon_; }
Rational Quanta::delta(std::int64_t quanta) const { return Rational::of(quanta) * delta_; }

namespace {

constexpr std::string_view one_order_theorem =
    "epsilons and deltas of adaptively chosen releases add up (Rogers, Roth, Ullman and Vadhan 2016), and so do their "
    "Rényi divergences of one order, converted once (Feldman and Zrnic 2021; Canonne, Kamath and Steinke 2020)";

Failure needs_both(const Terms& terms) {
  return invalid("the accountant " + std::string(name_of(terms.accountant)) +
                     " needs an epsilon and a delta above 0, but they are " + shortest(meant(terms.epsilon)) + " and " +
                     shortest(meant(terms.delta)),
                 "give both, or use the accountant pure");
}

template <class Named, std::size_t N>
std::optional<Named> named(const std::array<Named, N>& all, std::string_view name) {
  for (const Named one : all) {
    if (name_of(one) == name) return one;
  }
  return std::nullopt;
}

Result<Rules> simple_rules(const Terms& terms, const Result<accounting::Filter>& filter) {
  if (!filter) return Failure(filter.error());
  return Rules{terms, Quanta::of(terms.epsilon, terms.delta), {}, std::string(filter->theorem())};
}

Failure no_terms() { return invalid("it states no terms that this version knows"); }

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

bool charges_by_divergence(Accountant accountant) {
  return accountant == Accountant::zcdp || accountant == Accountant::rdp;
}

std::string told(const Terms& terms) {
  return "epsilon " + shortest(meant(terms.epsilon)) + ", delta " + shortest(meant(terms.delta)) + ", accountant " +
         std::string(name_of(terms.accountant)) + " and neighbours " + std::string(privacy::name_of(terms.neighbours));
}

std::string canonical(const Terms& terms, std::string_view id) {
  return "vernier-ledger 2 accountant " + std::string(name_of(terms.accountant)) + " epsilon " + terms.epsilon.text() +
         " delta " + terms.delta.text() + " neighbours " + std::string(privacy::name_of(terms.neighbours)) + " id " +
         std::string(id);
}

Result<Terms> terms_in(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::array<std::string, 12> word;
  for (std::string& one : word) words >> one;
  const auto accountant =
      named(std::array{Accountant::pure, Accountant::approximate, Accountant::zcdp, Accountant::rdp}, word[3]);
  const auto neighbours = named(std::array{privacy::Neighbours::add_remove, privacy::Neighbours::replace}, word[9]);
  const Result<Rational> epsilon = Rational::of_fraction(word[5]), delta = Rational::of_fraction(word[7]);
  if (!accountant || !neighbours || !epsilon || !delta) return no_terms();
  Terms terms{*accountant, *epsilon, *delta, *neighbours};
  if (canonical(terms, word[11]) != text) return no_terms();
  return terms;
}

Result<accounting::OneOrder> one_order_of(const Terms& terms) {
  if (!(terms.epsilon > Rational::of(0)) || !(terms.delta > Rational::of(0))) return needs_both(terms);
  return accounting::OneOrder::of(terms.epsilon, terms.delta);
}

Result<Rules> rules_of(const Terms& terms) {
  if (terms.accountant == Accountant::pure) return simple_rules(terms, accounting::pure_filter(terms.epsilon));
  if (terms.accountant == Accountant::approximate) {
    return simple_rules(terms, accounting::approximate_filter(terms.epsilon, terms.delta));
  }
  return one_order_of(terms).map([&](const accounting::OneOrder& rule) {
    const Quanta quanta = Quanta::of(terms.epsilon, terms.delta);
    const Cost opening = quanta.spend(rule.opening().epsilon, rule.opening().delta);
    return Rules{terms, quanta, opening, std::string(one_order_theorem)};
  });
}

namespace {

using accounting::Event;
using Events = std::span<const Event>;

// At delta 0 the total is pure itself; else the events' own epsilons are added up.
Result<Price> pure_price(const Quanta& quanta, Events events, const Statement& total) {
  const Rational no_delta = Rational::of(0);
  if (total.delta == no_delta) return Price{quanta.spend(total.epsilon, no_delta)};
  const Result<Bounds> epsilon = accounting::method::pure_epsilon(events);
  if (epsilon) return Price{quanta.spend(*Rational::of(epsilon->upper), no_delta)};
  return invalid("the budget of the catalog is pure, but the plan needs a delta: Gaussian noise and private keys do",
                 "use a study "
                 "without delta, or a catalog with one");
}

// None where a release has no divergence that is known; it is charged by its total then.
std::optional<Cost> divergence_of(const Rules& rules, Events events) {
  const Result<accounting::Charge> charge =
      one_order_of(rules.terms).and_then([&](const accounting::OneOrder& rule) { return rule.charge(events); });
  if (!charge) return std::nullopt;
  return rules.quanta.spend(charge->epsilon, charge->delta);
}

}  // namespace

std::string_view name_of(Manner manner) { return manner == Manner::total ? "total" : "divergence"; }

Statement without_delta(Events events, const Statement& total) {
  const Result<Bounds> pure = accounting::method::pure_epsilon(events);
  if (!pure || events.empty() || total.delta == Rational::of(0)) return total;
  const Rational epsilon = std::max(*Rational::of(pure->upper), total.epsilon);
  const bool is_hardly_more = epsilon * Rational::of(1000) <= total.epsilon * Rational::of(1001);
  return is_hardly_more ? Statement{epsilon, Rational::of(0)} : total;
}

Result<Price> price(const Rules& rules, Events events, const Statement& total) {
  const Accountant accountant = rules.terms.accountant;
  if (accountant == Accountant::pure) return pure_price(rules.quanta, events, total);
  Price found{rules.quanta.spend(total.epsilon, total.delta)};
  if (charges_by_divergence(accountant)) found.divergence = divergence_of(rules, events);
  return found;
}

}  // namespace vernier::ledger
