#include "vernier/query/read_budget.hpp"

#include "vernier/core/names.hpp"

namespace vernier::query {
namespace {

using numeric::Rational;

// What privacy::Epsilon and privacy::Delta take, as exact decimals.
constexpr const char* least_epsilon = "1e-10";
constexpr const char* greatest_epsilon = "1e4";
constexpr const char* least_delta = "1e-300";
constexpr const char* greatest_delta = "0.5";

bool lies_between(const Rational& value, const char* least, const char* greatest) {
  return Rational::of_decimal(least).value() <= value && value <= Rational::of_decimal(greatest).value();
}

Rational read_epsilon(TableReader& reader) {
  const TomlNode* const node = reader.require("epsilon", "epsilon = 1.0");
  const auto epsilon = reader.number("epsilon");
  if (!epsilon) return Rational::of(1);
  if (!lies_between(*epsilon, least_epsilon, greatest_epsilon)) {
    reader.refuse(node->place, reader.subject("epsilon") + " must be between " + least_epsilon + " and " +
                                   greatest_epsilon + ", but it is " + described(*node));
  }
  return *epsilon;
}

Rational read_delta(TableReader& reader) {
  const auto delta = reader.number("delta");
  if (!delta) return Rational::of(0);
  if (*delta != Rational::of(0) && !lies_between(*delta, least_delta, greatest_delta)) {
    const TomlNode& node = *reader.find("delta");
    reader.refuse(node.place, reader.subject("delta") + " must be 0 or between " + least_delta + " and " +
                                  greatest_delta + ", but it is " + described(node));
  }
  return *delta;
}

std::string read_ledger(TableReader& reader) {
  const auto ledger = reader.text("ledger", "catalog.ledger");
  if (!ledger) return "catalog.ledger";
  if (const auto fault = fault_of_text(*ledger)) {
    reader.refuse(reader.find("ledger")->place, reader.subject("ledger") +
                                                    " must be a file or a postgresql:// address, but " + *fault +
                                                    "; leave it out for catalog.ledger");
  }
  return *ledger;
}

Filter read_accountant(TableReader& reader, const Rational& delta) {
  const bool is_pure = delta == Rational::of(0);
  const auto name = reader.word("accountant", {"zcdp", "rdp", "pure"});
  if (!name) return is_pure ? Filter::pure : Filter::zcdp;
  if (is_pure && *name != "pure") {
    reader.refuse(reader.find("accountant")->place,
                  reader.subject("accountant") + " is " + *name +
                      ", which proves nothing at delta 0; write delta = 1e-6, or accountant = \"pure\"");
  }
  return *name == "pure" ? Filter::pure : *name == "zcdp" ? Filter::zcdp : Filter::rdp;
}

}  // namespace

PrivacyBudget read_privacy_budget(TableReader& reader) {
  Rational epsilon = read_epsilon(reader);
  return {std::move(epsilon), read_delta(reader)};
}

Budget read_budget(TableReader& reader) {
  PrivacyBudget budget = read_privacy_budget(reader);
  std::string ledger = read_ledger(reader);
  const Filter accountant = read_accountant(reader, budget.delta);
  reader.finish();
  return {std::move(budget.epsilon), std::move(budget.delta), std::move(ledger), accountant};
}

}  // namespace vernier::query
