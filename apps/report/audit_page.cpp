#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/html.hpp"
#include "report/page.hpp"
#include "report/parts.hpp"
#include "text/numbers.hpp"
#include "vernier/audit/mutants.hpp"
#include "vernier/core/version.hpp"

namespace vernier::report {
namespace {

using audit::Finding;
using audit::Report;
using audit::Section;

std::string verdict_text(const Report& report) {
  if (report.refuted()) return "A claim is refuted";
  return report.lacks_power() ? "Too small to say" : "Nothing is refuted";
}

std::int64_t claims_of(const Report& report) {
  std::int64_t claims = 0;
  for (const Section& section : report.sections) {
    for (const Finding& finding : section.findings) claims += finding.verdict == audit::Verdict::not_tried ? 0 : 1;
  }
  return claims;
}

void write_facts(Html& html, const Report& report, const std::string& date) {
  html.begin("dl", {{"class", "facts"}});
  write_fact(html, "Result", verdict_text(report), "at a chance of a false alarm of 1 in 1,000,000");
  write_fact(html, "Claims tried", text::grouped(claims_of(report)), fmt::format("in {:g} minutes", report.minutes));
  write_fact(html, "Software", "Vernier " + std::string(version()), fmt::format("{}", fmt::join(report.engines, ", ")));
  write_fact(html, "Date", date.substr(0, 10), date.substr(11));
  html.end();
}

void write_row(Html& html, const Finding& finding) {
  html.begin("tr");
  html.element("th", finding.claim, {{"scope", "row"}});
  html.element("td", tried_words(finding));
  html.element("td", finding.outcome);
  html.element("td", finding.caught);
  html.element("td", name_of(finding.verdict), {{"class", "whole"}});
  html.end();
}

void write_section(Html& html, const Section& section) {
  html.begin("section", {{"id", section.name}});
  html.element("h2", section.title);
  html.element("p", section.question);
  begin_table(html, section.title);
  html.trusted(
      "<thead><tr><th scope=\"col\">Claim</th><th scope=\"col\">Tried</th><th scope=\"col\">Outcome</th>"
      "<th scope=\"col\">Would have caught</th><th scope=\"col\">Verdict</th></tr></thead>\n");
  html.begin("tbody");
  for (const Finding& finding : section.findings) write_row(html, finding);
  html.end();
  end_table(html);
  html.end();
}

void write_meaning(Html& html) {
  html.begin("section", {{"id", "meaning"}});
  html.element("h2", "What this page says, and what it does not");
  html.begin("ul");
  html.element("li", "Refuted means: the claim is false, but for the chance of a false alarm.");
  html.element(
      "li", fmt::format("Stands means: nothing speaks against the claim. A mistake as large as the one that stands "
                        "under \"would have caught\" is found with probability {} at least; a smaller one may not be.",
                        1 - audit::missed));
  html.element("li",
               "An audit can refute a claim and never prove it. Proofs are in the documentation; the audit says that "
               "the program on this machine does what they are about.");
  html.element("li", "No data of yours was read, and no key or ledger of yours was used: all tables were invented.");
  html.end();
  html.end();
}

void write_mutants(Html& html) {
  html.begin("section", {{"id", "list"}});
  html.element("h2", "The mistakes that the tests plant");
  html.begin("p");
  std::string all;
  for (const audit::Mutant& mutant : audit::mutants()) {
    all += fmt::format("{}{} {}", all.empty() ? "" : " · ", mutant.number, mutant.mistake);
  }
  html.text(all);
  html.end();
  html.end();
}

}  // namespace

std::string audit_page(const Report& report, const std::string& date) {
  Html html;
  html.trusted("<!DOCTYPE html>\n");
  html.begin("html", {{"lang", "en"}});
  write_page_head(html, "Audit of Vernier " + std::string(version()));
  html.begin("body");
  html.begin("header");
  html.element("p", "Audit of an installation", {{"class", "kicker"}});
  html.element("h1", verdict_text(report));
  html.element("p",
               "The program on this machine tried to refute what it claims: that nobody can be found in what it "
               "publishes, beyond the stated privacy loss, and that its margins of error hold.",
               {{"class", "lede"}});
  write_facts(html, report, date);
  html.end();
  html.begin("main");
  for (const Section& section : report.sections) write_section(html, section);
  write_mutants(html);
  write_meaning(html);
  html.end();
  html.begin("footer");
  html.element(
      "p", fmt::format("Made by vernier audit --minutes {:g}, version {}, on {}.", report.minutes, version(), date));
  html.end();
  html.end();
  html.end();
  return std::move(html).finish();
}

}  // namespace vernier::report
