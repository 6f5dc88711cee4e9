#include "vernier/ledger/terms.hpp"

#include <array>
#include <optional>
#include <sstream>
#include <utility>

#include "vernier/accounting/filter.hpp"
#include "vernier/core/text.hpp"

namespace vernier::ledger {
namespace {

using numeric::Rational;

constexpr std::string_view one_order_theorem =
    "epsilons and deltas of adaptively chosen releases add up (Rogers, Roth, Ullman and Vadhan 2016), and so do their "
    "Rényi divergences of one order, converted once (Feldman and Zrnic 2021; Canonne, Kamath and Steinke 2020)";

Failure needs_both(const Terms& terms) {
  return invalid("the accountant " + std::string(name_of(terms.accountant)) +
                 " needs an epsilon and a delta above 0, but they are " + shortest(terms.epsilon.round_down()) +
                 " and " + shortest(terms.delta.round_down()) + "; give both, or use the accountant pure");
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
  return "epsilon " + shortest(terms.epsilon.round_down()) + ", delta " + shortest(terms.delta.round_down()) +
         ", accountant " + std::string(name_of(terms.accountant)) + " and neighbours " +
         std::string(privacy::name_of(terms.neighbours));
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

}  // namespace vernier::ledger
