#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "report/parts.hpp"
#include "report/took_text.hpp"
#include "vernier/core/rounded_text.hpp"
#include "vernier/ledger/terms.hpp"

namespace vernier::report {
namespace {

using numeric::Rational;

double share_of(const plan::PlannedStatistic& statistic) {
  double share = 0;
  for (const plan::PlannedNoise& noise : statistic.noise) share += noise.share;
  return std::clamp(share, 0.0, 1.0);
}

void write_shares(Html& html, const plan::Plan& plan) {
  begin_table(html, "Shares of the statistics");
  html.trusted(
      "<thead><tr><th scope=\"col\">Statistic</th><th scope=\"col\" colspan=\"2\">Share of this release</th>"
      "</tr></thead>\n");
  html.begin("tbody");
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    const double percent = 100 * share_of(plan.statistics[i]);
    html.begin("tr");
    html.element("th", plan.study.statistics[i].name, {{"scope", "row"}});
    html.element("td", fmt::format("{:.1f} %", percent), {{"class", "number"}});
    html.begin("td", {{"class", "share"}, {"aria-hidden", "true"}});
    html.element("span", "", {{"style", fmt::format("width: {:.1f}%", percent)}});
    html.end();
    html.end();
  }
  html.end();
  end_table(html);
}

// What is spent is rounded up, and what is left is rounded down.
void write_amount(Html& html, std::string_view name, const Rational& most, const Rational& taken,
                  const Rational& left) {
  html.begin("tr");
  html.element("th", name, {{"scope", "row"}});
  html.element("td", rounded_down_text(nearest(most)), {{"class", "number"}});
  html.element("td", rounded_up_text(nearest(taken)), {{"class", "number"}});
  html.element("td", rounded_down_text(nearest(left)), {{"class", "number"}});
  html.end();
}

void write_ledger(Html& html, const Facts& facts, const ledger::Rules& rules) {
  const ledger::Quanta& quanta = rules.quanta;
  const ledger::Cost most = quanta.budget(), taken = facts.release.taken.cost, left = facts.balance.left;
  begin_table(html, "The budget of the catalog");
  html.trusted(
      "<thead><tr><th scope=\"col\">Amount</th><th scope=\"col\" class=\"number\">Allowed, for ever</th>"
      "<th scope=\"col\" class=\"number\">This release</th><th scope=\"col\" class=\"number\">Left after it</th>"
      "</tr></thead>\n");
  html.begin("tbody");
  write_amount(html, "epsilon", quanta.epsilon(most.epsilon), quanta.epsilon(taken.epsilon),
               quanta.epsilon(left.epsilon));
  if (rules.terms.accountant != ledger::Accountant::pure) {
    write_amount(html, "delta", quanta.delta(most.delta), quanta.delta(taken.delta), quanta.delta(left.delta));
  }
  html.end();
  end_table(html);
}

}  // namespace

void write_budget(Html& html, const Facts& facts, const ledger::Rules& rules) {
  html.begin("section", {{"id", "budget"}});
  html.element("h2", "Where the budget went");
  html.element("p",
               "Accuracy is paid for with privacy, and there is only so much of it. Of what this release spent, each "
               "statistic took:");
  write_shares(html, facts.release.plan);
  html.element("p", fmt::format("Everything that is ever published from this catalog is charged to one ledger, which "
                                "refuses what would exceed the budget. Why adding up is allowed: {}. With entry {}:",
                                rules.theorem, facts.release.receipt.index));
  write_ledger(html, facts, rules);
  for (std::string sentence : took_sentences(facts.release, rules)) {
    sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    html.element("p", sentence + ".");
  }
  html.end();
}

}  // namespace vernier::report
