#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/parts.hpp"
#include "report/text.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/plan.hpp"

// The guarantee in plain words: what it keeps others from, and what readers may take from the numbers.
namespace vernier::report {
namespace {

bool is_replace(const Facts& facts) { return facts.release.plan.study.neighbours == privacy::Neighbours::replace; }

bool has_private_keys(const plan::BoundStudy& study) {
  return std::any_of(study.statistics.begin(), study.statistics.end(),
                     [](const plan::BoundStatistic& statistic) { return !statistic.keys.are_public; });
}

void write_list(Html& html, const std::vector<std::string>& sentences) {
  html.begin("ul");
  for (const std::string& sentence : sentences) html.element("li", sentence);
  html.end();
}

void write_guarantee(Html& html, const Facts& facts) {
  const plan::Plan& plan = facts.release.plan;
  const char* const secret = is_replace(facts) ? "which of two things its rows say" : "whether it is in the data";
  html.begin("p");
  html.text("This page would look almost the same with any one unit (");
  html.name(plan::unit_of(plan.study));
  html.text(is_replace(facts) ? ") having other rows. " : ") left out. ");
  html.text(fmt::format(
      "Take a unit for which a coin decided {}. Somebody who knows everything else, and guesses without this page, is "
      "right 50 % of the time; with it, at most {} of the time, whatever they know and however they compute (ε {}, δ "
      "{}).",
      secret, best_guess(plan.epsilon, plan.delta.value()), rounded_up_text(plan.epsilon),
      rounded_up_text(plan.delta.value())));
  html.end();
  html.element(
      "p",
      "What is true of many people at once is not hidden: it is what the page is for. Whoever knows a group that "
      "you belong to may learn something about you from it, whether your own data was used or not.");
}

numeric::Rational alpha_of(const plan::BoundStatistic& statistic, const Facts& facts) {
  return statistic.alpha.value_or(facts.asked.alpha);
}

// The greatest that a statistic has.
numeric::Rational greatest_alpha(const Facts& facts) {
  numeric::Rational greatest = facts.asked.alpha;
  for (const auto& one : facts.release.plan.study.statistics) greatest = std::max(greatest, alpha_of(one, facts));
  return greatest;
}

std::string misses(const Facts& facts) {
  const auto numbers = static_cast<double>(numbers_of(facts));
  const double expected = std::ceil(numbers * greatest_alpha(facts).round_up());
  if (numbers < 2) return "";
  return fmt::format(" Of the {} intervals here, about {} may miss.", text::grouped(numbers, 0),
                     text::grouped(std::min(expected, numbers), 0));
}

std::vector<std::string> allowed(const Facts& facts) {
  std::vector<std::string> sentences = {
      fmt::format("The exact number lies in its interval, ends included: that holds for each number by itself {} of "
                  "the time, over the noise.{}",
                  confidence_of(facts), misses(facts)),
      fmt::format("Two groups differ, where their intervals do not touch: for two that were chosen beforehand this is "
                  "wrong at most {} % of the time.",
                  rounded_up_text(std::min(100.0, 200 * greatest_alpha(facts).round_up()), 3)),
      "Sums, differences and shares of these numbers may be computed freely; that takes nothing from anybody's "
      "protection, but margins add up."};
  const plan::BoundStudy& study = facts.release.plan.study;
  if (any_of_population(study)) {
    sentences.emplace_back(
        first_table(study).unit
            ? "Where a table is about what counts of a population, it is the number of that which lies in its "
              "interval, "
              "over the draw of the units and the noise together."
            : "Where a table is about a population, it is the population's number that lies in its interval, over the "
              "draw of the rows and the noise together.");
  }
  if (any_simultaneous(study)) {
    sentences.push_back(
        fmt::format("Where a table says that its intervals hold at once, none of them misses {} of the time.",
                    confidence_of(facts)));
  }
  return sentences;
}

std::vector<std::string> forbidden(const Facts& facts) {
  std::vector<std::string> sentences = {"That a difference within the margins is real."};
  if (!facts.release.plan.statistics.empty()) {
    sentences.emplace_back(
        "That numbers add up: each has noise of its own, those of another table too. Each is kept within what is "
        "possible, a count never below zero, so that a sum over many small groups comes out too high.");
  }
  if (!facts.release.plan.tables.empty()) {
    sentences.emplace_back(
        "That values of tables that add up do: their estimates do. Nor that a cell is not empty because its own "
        "interval is above zero: of many empty cells some are, by chance.");
  }
  sentences.push_back(
      std::string("That the interval covers other errors than the noise") +
      (any_of_population(facts.release.plan.study) ? ", or than the draw of the rows where it is about a population"
                                                   : "") +
      ": people who were not asked, wrong answers, values beyond the declared bounds, which count as the bound, "
      "and rows of one unit beyond those that count.");
  if (has_private_keys(facts.release.plan.study)) {
    sentences.emplace_back("That a group which is missing does not exist: small ones are left out.");
  }
  sentences.emplace_back("Anything about one person.");
  return sentences;
}

}  // namespace

std::string best_guess(double epsilon, double delta) {
  const double wrong = (1 - delta) / (1 + std::exp(epsilon));
  const double percent = std::ceil(1000 * (1 - wrong) * (1 + 1e-12)) / 10;
  return fmt::format("{:.1f} %", std::clamp(percent, 50.0, 100.0));
}

void write_conclusions(Html& html, const Facts& facts) {
  html.begin("section", {{"id", "conclusions"}});
  html.element("h2", "What you may conclude");
  html.element("h3", "The promise to those in the data");
  write_guarantee(html, facts);
  html.element("h3", "You may conclude");
  write_list(html, allowed(facts));
  html.element("h3", "You may not conclude");
  write_list(html, forbidden(facts));
  html.end();
}

}  // namespace vernier::report
