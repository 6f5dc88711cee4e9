#include "report/inference_text.hpp"

#include <algorithm>

#include "vernier/core/rounded_text.hpp"
#include "vernier/plan/public_count.hpp"

namespace vernier::report {
namespace {

using plan::BoundStatistic;

std::string population_sentence(const BoundStatistic& statistic) {
  const std::string drawn = statistic.table.sampled ? ", each member of which is in the data with probability " +
                                                          nearest_text(nearest(*statistic.table.sampled), 6)
                                                    : "";
  const std::string weighted = statistic.weighted ? ", weighted by '" + statistic.weighted->column + "'" : "";
  return "Intervals are for the population of which the rows are a random sample" + drawn + weighted +
         ": sampling error and noise together.";
}

std::string simultaneous_sentence(const BoundStatistic& statistic) {
  if (statistic.keys.are_public) return "All intervals of this statistic hold at once, not only each by itself.";
  return "All intervals of this statistic hold at once, for as many groups as are published; the accuracy of the plan "
         "is for one group by itself.";
}

template <class IsAsked>
bool any(const plan::BoundStudy& study, IsAsked is_asked) {
  return std::any_of(study.statistics.begin(), study.statistics.end(),
                     [&](const BoundStatistic& statistic) { return is_asked(statistic.inference); });
}

}  // namespace

std::vector<std::string> inference_sentences(const BoundStatistic& statistic) {
  std::vector<std::string> sentences;
  if (statistic.inference.of_population) sentences.push_back(population_sentence(statistic));
  if (statistic.inference.is_simultaneous) sentences.push_back(simultaneous_sentence(statistic));
  if (plan::rests_on_public_count(statistic)) {
    sentences.emplace_back("Means rest on the number of rows, which is public: no noise is spent on counting them.");
  }
  return sentences;
}

bool any_of_population(const plan::BoundStudy& study) {
  return any(study, [](const query::Inference& asked) { return asked.of_population; });
}

bool any_simultaneous(const plan::BoundStudy& study) {
  return any(study, [](const query::Inference& asked) { return asked.is_simultaneous; });
}

}  // namespace vernier::report
