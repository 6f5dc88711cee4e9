#include "vernier/query/read_shares.hpp"

#include <algorithm>

#include "vernier/core/names.hpp"

namespace vernier::query {
namespace {

using numeric::Rational;

constexpr const char* example = "[budget.shares] and below it anna = 0.5";

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80; }));
}

Rational read_part(TableReader& budget, const TomlEntry& entry) {
  const std::string subject = "the share of " + in_quotes(entry.key);
  const auto part = number_of(entry.node);
  if (part && *part > Rational::of(0) && *part <= Rational::of(1)) return *part;
  budget.refuse(
      entry.node.place,
      subject + " must be a part of the budget, a number above 0 and at most 1, but it is " + described(entry.node));
  return Rational::of(0);
}

BudgetShare read_share(TableReader& budget, const TomlEntry& entry) {
  if (const auto fault = fault_of_analyst(entry.key)) {
    budget.refuse(entry.place, "an analyst cannot have this name, since " + *fault + "; choose another");
  }
  return {entry.key, read_part(budget, entry)};
}

}  // namespace

std::optional<std::string> fault_of_analyst(std::string_view name) {
  if (auto fault = fault_of_name(name)) return fault;
  if (characters_of(name) <= longest_analyst) return std::nullopt;
  return "it is longer than " + std::to_string(longest_analyst) + " characters";
}

std::vector<BudgetShare> read_shares(TableReader& budget) {
  const TomlNode* const node = budget.find("shares");
  const TomlTable* const entries = budget.table("shares", example);
  if (entries == nullptr) return {};
  if (entries->empty()) {
    budget.refuse(node->place,
                  "[budget.shares] names nobody; write for example anna = 0.5, or leave it out so that everybody "
                  "spends from the whole");
  }
  std::vector<BudgetShare> shares;
  Rational sum = Rational::of(0);
  for (const TomlEntry& entry : *entries) sum = sum + shares.emplace_back(read_share(budget, entry)).part;
  if (sum > Rational::of(1)) {
    budget.refuse(node->place,
                  "the shares of [budget] are more than the whole; their parts add up to at most 1, and what is in no "
                  "share is the reserve");
  }
  return shares;
}

}  // namespace vernier::query
