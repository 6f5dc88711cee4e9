#include "report/page.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/parts.hpp"
#include "report/text.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/core/version.hpp"
#include "vernier/plan/plan.hpp"

namespace vernier::report {
namespace {

bool is_replace(const Facts& facts) { return facts.release.plan.study.neighbours == privacy::Neighbours::replace; }

}  // namespace

void write_summary(Html& html, const Facts& facts) {
  const plan::Plan& plan = facts.release.plan;
  html.begin("p", {{"class", "lede"}});
  html.text(
      "Every number on this page was made slightly wrong on purpose, so that nobody can be found in it. How wrong "
      "it may be is written beside it: ± is its margin of error, and an interval says where the exact number lies.");
  html.end();
  const std::string numbers = text::grouped(static_cast<std::int64_t>(numbers_of(facts)));
  html.begin("dl", {{"class", "facts"}});
  write_fact(html, "Numbers published", numbers, "each with an interval");
  write_fact(html, "Intervals hold", confidence_of(facts), "of the time, each by itself");
  write_fact(html, "Protected unit", plan::unit_of(plan.study),
             is_replace(facts) ? "what its rows say" : "whether it is in the data");
  write_fact(
      html, "Privacy loss, at most", "ε " + rounded_up_text(plan.epsilon, 4),
      "δ " + rounded_up_text(plan.delta.value()) + ", proven by " + std::string(accounting::name_of(plan.method)));
  html.end();
}

void write_origin(Html& html, const Facts& facts) {
  const release::Release& release = facts.release;
  html.begin("footer");
  html.begin("p");
  html.text("Release ");
  html.element("code", release.id);
  html.text(
      fmt::format(", entry {} of its ledger. Made by Vernier {} with {}. Anybody can recompute every figure of this "
                  "page from the file release.json beside it: ",
                  release.receipt.index, version(), release.engine));
  html.element("code", "vernier verify release.json");
  html.end();
  html.begin("p");
  html.text("Catalog ");
  html.element("code", release.catalog_hash);
  html.text("; plan ");
  html.element("code", release.plan_hash);
  html.end();
  html.end();
}

namespace {

void write_link(Html& html, const std::string& id, const std::string& words) {
  html.begin("li");
  html.element("a", words, {{"href", "#" + id}});
  html.end();
}

void write_contents(Html& html, const Facts& facts) {
  html.begin("nav", {{"aria-label", "Contents"}});
  html.begin("ul");
  const auto& statistics = facts.release.plan.study.statistics;
  for (std::size_t i = 0; i < statistics.size(); ++i) write_link(html, section_id(i), statistics[i].name);
  const auto& tables = facts.release.plan.study.tables;
  for (std::size_t i = 0; i < tables.size(); ++i) write_link(html, table_section_id(i), tables[i].name);
  write_link(html, "conclusions", "What you may conclude");
  write_link(html, "plan", "How it was made");
  write_link(html, "budget", "Where the budget went");
  write_link(html, "public", "What was taken for public");
  html.end();
  html.end();
}

void write_body(Html& html, const Facts& facts, const ledger::Rules& rules) {
  html.begin("body");
  html.begin("header");
  html.element("p", "Statistics with margins of error", {{"class", "kicker"}});
  html.element("h1", facts.asked.study);
  write_summary(html, facts);
  write_contents(html, facts);
  html.end();
  html.begin("main");
  for (std::size_t i = 0; i < facts.release.tables.size(); ++i) write_statistic(html, facts, i);
  for (std::size_t i = 0; i < facts.release.contrasts.size(); ++i) write_tables(html, facts, i);
  write_conclusions(html, facts);
  write_plan(html, facts);
  write_forecast(html, facts);
  write_budget(html, facts, rules);
  write_public_facts(html, facts);
  html.end();
  write_origin(html, facts);
  html.end();
}

}  // namespace

std::string section_id(std::size_t place) { return "statistic-" + std::to_string(place + 1); }

std::string confidence_of(const Facts& facts) { return confidences_of(facts.release.plan.study, facts.asked.alpha); }

std::size_t numbers_of(const Facts& facts) {
  std::size_t numbers = cells_of(facts.release.plan);
  for (std::size_t i = 0; i < facts.release.tables.size(); ++i) {
    const auto& outputs = facts.release.plan.study.statistics[i].query.outputs;
    const auto columns = std::count_if(outputs.begin(), outputs.end(), [](const auto& one) { return !one.is_key; });
    numbers += facts.release.tables[i].shown() * static_cast<std::size_t>(columns);
  }
  return numbers;
}

void begin_table(Html& html, const std::string& name) {
  html.begin("div", {{"class", "sideways"}, {"role", "region"}, {"aria-label", name}, {"tabindex", "0"}});
  html.begin("table");
}

void end_table(Html& html) {
  html.end();
  html.end();
}

Result<std::string> page(const Facts& facts) {
  VERNIER_TRY(const ledger::Rules rules, ledger::rules_of(facts.release.terms));
  Html html;
  html.trusted("<!DOCTYPE html>\n");
  html.begin("html", {{"lang", "en"}});
  write_page_head(html, facts.asked.study + " – statistics with margins of error");
  write_body(html, facts, rules);
  html.end();
  return std::move(html).finish();
}

}  // namespace vernier::report
