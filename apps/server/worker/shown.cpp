#include "server/worker/shown.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "vernier/core/text.hpp"
#include "vernier/numeric/meant.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/privacy/guess.hpp"

namespace vernier::server {

std::string percent_text(double share) {
  const double percent = 100 * share;
  return percent > 0 && percent < 0.5 ? "under 1 %" : fmt::format("{:.0f} %", percent);
}

std::string left_of_budget(const query::StudyBudget& budget, double epsilon) {
  const double left = numeric::subtract_down(budget.epsilon.round_down(), epsilon);
  return left > 1e-3 * nearest(budget.epsilon) ? rounded_down_text(left, 3) : "";
}

void write_budget(JsonWriter& json, const std::optional<query::StudyBudget>& budget, const std::string& unspent) {
  json.key("budget");
  json.begin_object();
  json.member("epsilon", std::string_view(budget ? shortest(nearest(budget->epsilon)) : ""));
  json.member("delta", std::string_view(budget ? shortest(nearest(budget->delta)) : ""));
  json.member("unspent", std::string_view(unspent));
  json.end_object();
}

void write_amounts(JsonWriter& json, const study::LedgerState& ledger) {
  json.key("ledger");
  json.begin_array();
  for (const study::LedgerAmount& amount : ledger.amounts) {
    json.begin_object();
    json.member("name", amount.name);
    json.member("allowed", std::string_view(rounded_down_text(meant(amount.allowed))));
    json.member("left", std::string_view(rounded_down_text(meant(amount.left))));
    json.member("price", std::string_view(rounded_up_text(amount.price.round_up())));
    const double once = amount.once.round_up();
    json.member("once", std::string_view(once > 0 ? rounded_up_text(once) : ""));
    const numeric::Rational after = amount.left - amount.price;
    json.member("after", std::string_view(ledger.is_affordable ? rounded_down_text(after.round_down()) : ""));
    json.end_object();
  }
  json.end_array();
}

namespace {

int of_hundred(double chance) { return static_cast<int>(std::min(100.0, std::ceil(100 * chance))); }

// The texts say what the figures are about.
void write_guess(JsonWriter& json, std::string_view name, double epsilon, double delta, const std::string& epsilon_text,
                 const std::string& delta_text) {
  json.key(name);
  json.begin_object();
  json.member("epsilon", std::string_view(epsilon_text));
  json.member("delta", std::string_view(delta_text));
  json.member("guess", std::int64_t{of_hundred(privacy::guess_chance(epsilon, delta))});
  json.member("found", std::int64_t{of_hundred(privacy::found_chance(epsilon, delta, 0.05))});
  json.end_object();
}

void write_risk(JsonWriter& json, const Spent& spent) {
  json.key("risk");
  json.begin_object();
  write_guess(json, "study", spent.epsilon, spent.delta, rounded_up_text(spent.epsilon), rounded_up_text(spent.delta));
  write_guess(json, "catalog", spent.catalog.epsilon.round_up(), spent.catalog.delta.round_up(),
              shortest(nearest(spent.catalog.epsilon)), shortest(nearest(spent.catalog.delta)));
  json.end_object();
}

}  // namespace

std::string with_page(std::string plan_text, const std::string& study_text, const std::string& hash, const Spent& spent,
                      const std::function<void(JsonWriter&)>& shown) {
  std::string more;
  JsonWriter json(more);
  json.begin_object();
  json.member("text", std::string_view(study_text));
  json.member("plan_hash", std::string_view(hash));
  write_risk(json, spent);
  json.key("shown");
  json.begin_object();
  shown(json);
  json.end_object();
  json.end_object();
  plan_text.erase(plan_text.rfind('}'));
  return plan_text + "," + more.substr(1) + "\n";
}

}  // namespace vernier::server
