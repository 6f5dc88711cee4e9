#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "report/parts.hpp"
#include "report/text.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/ledger/price.hpp"
#include "vernier/plan/plan.hpp"

namespace vernier::report {
namespace {

using plan::BoundStatistic;
using plan::Measurement;

std::string asked_text(const Measurement& measurement) {
  if (!measurement.aggregation) return "chooses the groups";
  return measurement.target ? "± " + query::plain(nearest(*measurement.target)) : "by budget";
}

void write_measurement(Html& html, const BoundStatistic& statistic, const Measurement& measurement,
                       const plan::PlannedNoise& noise) {
  html.begin("tr");
  html.element("th", statistic.name, {{"scope", "row"}});
  html.element("td", plan::column_of(statistic, measurement));
  html.element("td", asked_text(measurement), {{"class", "whole"}});
  html.element("td", std::string(plan::name_of(noise.law)) + ", scale " +
                         nearest_text(plan::published_scale(statistic, measurement, noise), 4));
  html.element("td", accuracy_text(statistic, measurement, noise.accuracy), {{"class", "whole"}});
  html.element("td", fmt::format("{:.1f} %", 100 * noise.share), {{"class", "number"}});
  html.end();
}

bool has_about(const BoundStatistic& statistic) {
  return std::any_of(statistic.measurements.begin(), statistic.measurements.end(),
                     [&](const Measurement& one) { return plan::is_about(statistic, one); });
}

void write_bounding(Html& html, const plan::Plan& plan) {
  html.begin("ul", {{"class", "quiet"}});
  for (std::size_t i = 0; i < plan.study.statistics.size(); ++i) {
    const BoundStatistic& statistic = plan.study.statistics[i];
    html.begin("li");
    html.name(statistic.name);
    html.text(fmt::format(
        ": of one unit at most {} {} in each of at most {} {} count.", text::grouped(statistic.contribution.max_rows),
        statistic.contribution.max_rows == 1 ? "row" : "rows", text::grouped(statistic.contribution.max_groups),
        statistic.contribution.max_groups == 1 ? "group" : "groups"));
    if (has_about(statistic)) {
      html.text(fmt::format(" “About” is for a group of {} rows.", text::grouped(statistic.typical_rows)));
    }
    html.end();
  }
  for (const plan::BoundTables& tables : plan.study.tables) {
    html.begin("li");
    html.name(tables.name);
    html.text(": of one unit one row counts, the same in all of its tables.");
    html.end();
  }
  html.end();
}

std::string chance_text(const plan::PublishedChance& chance) {
  const double middle = (chance.chance.lower + chance.chance.upper) / 2;
  if (middle < 0.001) return nearest_text(middle, 2);
  return nearest_text(100 * middle, 3) + " %";
}

void write_keys(Html& html, const BoundStatistic& statistic, const plan::KeyPlan& keys) {
  html.element("h3", statistic.name);
  html.element("p",
               fmt::format("A group is published where its number of units, with noise, is at least {}. The chance "
                           "that a unit which is alone in its group is given away by that is at most {}.",
                           text::grouped(keys.threshold), rounded_up_text(keys.delta, 3)));
  begin_table(html, "Chances of publication in " + statistic.name);
  html.trusted(
      "<thead><tr><th scope=\"col\">Units in the group</th><th scope=\"col\" colspan=\"2\">Chance that it is "
      "published</th></tr></thead>\n");
  html.begin("tbody");
  for (const plan::PublishedChance& chance : keys.forecast) {
    html.begin("tr");
    html.element("th", text::grouped(chance.units), {{"scope", "row"}});
    html.element("td", chance_text(chance));
    html.begin("td", {{"class", "share"}, {"aria-hidden", "true"}});
    const double percent = std::clamp(100 * chance.chance.upper, 0.0, 100.0);
    html.element("span", "", {{"style", fmt::format("width: {:.1f}%", percent)}});
    html.end();
    html.end();
  }
  html.end();
  end_table(html);
}

}  // namespace

void write_plan(Html& html, const Facts& facts) {
  const plan::Plan& plan = facts.release.plan;
  html.begin("section", {{"id", "plan"}});
  html.element("h2", "How it was made");
  html.element("p",
               "This was fixed before any data was read: which numbers, with how much noise, and how accurate they "
               "would be.");
  begin_table(html, "The plan");
  html.trusted(
      "<thead><tr><th scope=\"col\">Statistic</th><th scope=\"col\">Number</th><th scope=\"col\">Asked</th>"
      "<th scope=\"col\">Noise</th><th scope=\"col\">Accuracy planned</th><th scope=\"col\" class=\"number\">Share</th>"
      "</tr></thead>\n");
  html.begin("tbody");
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    const BoundStatistic& statistic = plan.study.statistics[i];
    for (std::size_t j = 0; j < statistic.measurements.size(); ++j) {
      write_measurement(html, statistic, statistic.measurements[j], plan.statistics[i].noise[j]);
    }
  }
  write_tables_plan(html, plan);
  html.end();
  end_table(html);
  write_bounding(html, plan);
  html.end();
}

void write_forecast(Html& html, const Facts& facts) {
  const plan::Plan& plan = facts.release.plan;
  const bool has_any = std::any_of(plan.statistics.begin(), plan.statistics.end(),
                                   [](const plan::PlannedStatistic& one) { return one.keys.has_value(); });
  if (!has_any) return;
  html.begin("section", {{"id", "groups"}});
  html.element("h2", "Which groups are published");
  html.element("p",
               "Where the list of groups is itself private, a group appears only if enough units are in it. How many "
               "are enough was fixed before any data was read.");
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    if (plan.statistics[i].keys) write_keys(html, plan.study.statistics[i], *plan.statistics[i].keys);
  }
  html.end();
}

namespace {

using numeric::Rational;

double share_of(const plan::PlannedStatistic& statistic) {
  double share = 0;
  for (const plan::PlannedNoise& noise : statistic.noise) share += noise.share;
  return std::clamp(share, 0.0, 1.0);
}

void write_share(Html& html, const std::string& name, double share) {
  const double percent = 100 * share;
  html.begin("tr");
  html.element("th", name, {{"scope", "row"}});
  html.element("td", fmt::format("{:.1f} %", percent), {{"class", "number"}});
  html.begin("td", {{"class", "share"}, {"aria-hidden", "true"}});
  html.element("span", "", {{"style", fmt::format("width: {:.1f}%", percent)}});
  html.end();
  html.end();
}

void write_shares(Html& html, const plan::Plan& plan) {
  begin_table(html, "Shares of the statistics");
  html.trusted(
      "<thead><tr><th scope=\"col\">Statistic</th><th scope=\"col\" colspan=\"2\">Share of this release</th>"
      "</tr></thead>\n");
  html.begin("tbody");
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    write_share(html, plan.study.statistics[i].name, share_of(plan.statistics[i]));
  }
  for (std::size_t i = 0; i < plan.tables.size(); ++i) {
    write_share(html, plan.study.tables[i].name, plan.tables[i].share);
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
