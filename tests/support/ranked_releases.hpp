#pragma once

#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "support/signed_releases.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// Quantiles of the rows of groups.
namespace vernier::testing {

using plan::Figure;

inline plan::Measurement ranked_column(Figure figure, query::Fraction fraction, std::size_t aggregation) {
  plan::Measurement made = measured(plan::Quantile::kind, aggregation, {0}, 0, 15);
  made.figure = figure;
  made.fraction = fraction;
  made.width = plan::rank_width(made);
  made.origin = 1;
  made.steps = 15;
  return made;
}

// COUNT(*) AS n, MEDIAN(educ) AS m, QUANTILE(educ, 0.9) AS q, MIN(educ) AS l, MAX(educ) AS g, MEDIAN(educ) AS again.
inline plan::BoundStatistic ranked(plan::BoundStatistic made) {
  const query::Expression educ = made.query.aggregations[2].argument.value();
  made.query.aggregations.resize(1);
  made.query.outputs.resize(2);
  made.measurements.resize(1);
  made.histograms = {{1, 0}};
  for (const auto& [name, figure, fraction] : {std::tuple{"m", plan::Quantile::quantile, query::Fraction{1, 2}},
                                               {"q", plan::Quantile::quantile, query::Fraction{9, 10}},
                                               {"l", plan::Quantile::least, query::Fraction{}},
                                               {"g", plan::Quantile::greatest, query::Fraction{}},
                                               {"again", plan::Quantile::quantile, query::Fraction{1, 2}}}) {
    made.measurements.push_back(ranked_column(figure, fraction, made.query.aggregations.size()));
    made.query.outputs.push_back({false, made.query.aggregations.size()});
    made.query.aggregations.push_back({query::Aggregate::quantile, educ, name});
  }
  made.measurements[5].source = 1;
  made.measurements[5].width = 0;
  return made;
}

// COUNT(*) AS n, and QUANTILE(educ, p) AS q1, q2, ... of these tenths; as many as there are different ones have a tree.
inline plan::BoundStatistic with_fractions(plan::BoundStatistic made, const std::vector<std::int64_t>& tenths) {
  const query::Expression educ = made.query.aggregations[2].argument.value();
  made.query.aggregations.resize(1);
  made.query.outputs.resize(2);
  made.measurements.resize(1);
  made.histograms = {{1, 0}};
  for (const std::int64_t parts : tenths) {
    plan::Measurement one = measured(plan::Quantile::kind, made.query.aggregations.size(), {0}, 0, 15);
    one.figure = plan::Quantile::quantile;
    one.fraction = {parts, 10};
    one.width = 2;
    one.origin = 1;
    one.steps = 15;
    made.measurements.push_back(one);
    made.query.outputs.push_back({false, made.query.aggregations.size()});
    made.query.aggregations.push_back(
        {query::Aggregate::quantile, educ, "q" + std::string(1, static_cast<char>('0' + made.measurements.size()))});
  }
  EXPECT_TRUE(plan::share_trees(made));
  return made;
}

}  // namespace vernier::testing
