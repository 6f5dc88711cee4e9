#include <cmath>

#include <fmt/format.h>

#include "report/frame.hpp"
#include "report/parts.hpp"
#include "text/grouped_text.hpp"
#include "vernier/core/rounded_text.hpp"
#include "vernier/core/version.hpp"
#include "vernier/plan/plan_names.hpp"

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

}  // namespace vernier::report
