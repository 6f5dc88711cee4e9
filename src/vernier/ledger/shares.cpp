#include "vernier/ledger/shares.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "vernier/core/names.hpp"

namespace vernier::ledger {
namespace {

using nlohmann::json;
using numeric::Rational;

std::int64_t part_of(const Rational& part, std::int64_t budget) { return *(part * Rational::of(budget)).floor(); }

Cost least(const Cost& a, const Cost& b) { return {std::min(a.epsilon, b.epsilon), std::min(a.delta, b.delta)}; }

std::string names_of(const Shares& shares) {
  std::string names;
  for (const Share& share : shares) names += (names.empty() ? "" : ", ") + share.analyst;
  return names;
}

Failure has_no_share(const std::string& analyst, const Shares& shares) {
  const std::string who = analyst.empty() ? "the analyst is not named" : "'" + analyst + "' has no share";
  return invalid("the budget is divided into shares, and " + who, "name one of: " + names_of(shares));
}

Result<Share> share_in(const json& pair) {
  const bool is_pair = pair.is_array() && pair.size() == 2 && pair[0].is_string() && pair[1].is_string();
  if (!is_pair) return invalid("it states no shares that this version knows");
  return Rational::of_fraction(pair[1].get<std::string>()).map([&](Rational part) {
    return Share{pair[0].get<std::string>(), std::move(part)};
  });
}

}  // namespace

Result<Shares> shares_of(Shares shares) {
  std::sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.analyst < b.analyst; });
  Rational sum = Rational::of(0);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const std::string& name = shares[i].analyst;
    if (const auto fault = fault_of_name(name)) return invalid("the name of an analyst with a share: " + *fault);
    if (i > 0 && shares[i - 1].analyst == name) return invalid("the analyst '" + name + "' has two shares", "give one");
    if (!(shares[i].part > Rational::of(0))) return invalid("the share of '" + name + "' must be above 0");
    sum = sum + shares[i].part;
  }
  if (sum > Rational::of(1)) return invalid("the shares add up to more than 1", "what they divide is one budget");
  return shares;
}

const Share* share_of(const Shares& shares, std::string_view analyst) {
  const auto found =
      std::find_if(shares.begin(), shares.end(), [&](const Share& share) { return share.analyst == analyst; });
  return found == shares.end() ? nullptr : &*found;
}

Cost most_of(const Share& share, const Cost& budget) {
  return {part_of(share.part, budget.epsilon), part_of(share.part, budget.delta)};
}

Result<Balance> balance_of(const Shares& shares, const Balance& whole, const Cost& spent, const std::string& analyst) {
  if (shares.empty()) return whole;
  const Share* share = share_of(shares, analyst);
  if (share == nullptr) return has_no_share(analyst, shares);
  const Cost most = most_of(*share, whole.most);
  return Balance{least(most - least(most, spent), whole.left), whole.is_open, most};
}

std::string canonical(const Shares& shares) {
  json all = json::array();
  for (const Share& share : shares) all.push_back({share.analyst, share.part.text()});
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Shares> shares_in(std::string_view text) {
  const json all = json::parse(text, nullptr, false);
  if (!all.is_array()) return invalid("it states no shares that this version knows");
  Shares shares;
  for (const json& pair : all) {
    VERNIER_TRY(Share share, share_in(pair));
    shares.push_back(std::move(share));
  }
  return shares_of(std::move(shares));
}

}  // namespace vernier::ledger
