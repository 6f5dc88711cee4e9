#include "report/page.hpp"

#include <utility>

#include "report/frame.hpp"
#include "report/parts.hpp"
#include "text/confidence_text.hpp"

namespace vernier::report {
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

std::string confidence_of(const Facts& facts) { return text::confidence_text(nearest(facts.asked.alpha)); }

std::size_t numbers_of(const Facts& facts) {
  std::size_t numbers = 0;
  for (std::size_t i = 0; i < facts.release.tables.size(); ++i) {
    numbers += facts.release.tables[i].rows.size() * facts.release.plan.study.statistics[i].query.aggregations.size();
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
