#include "cli/coverage/denoise.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

Given given(std::map<std::string, std::vector<std::string>, std::less<>> values) {
  values["denoise"] = {};
  return {std::move(values)};
}

std::string said(std::map<std::string, std::vector<std::string>, std::less<>> values) {
  const auto request = denoise_request(given(std::move(values)));
  return request ? "" : request.error().sentence(option_spelling);
}

denoise::Outcome outcome(denoise::Entrant entrant, double error, std::optional<double> bound, bool refuted) {
  denoise::Outcome made{entrant, {}, {}, bound, refuted};
  made.error.add(error);
  made.error.add(error);
  return made;
}

std::vector<DenoisePoint> points(bool refuted) {
  std::vector<DenoisePoint> made;
  for (const denoise::Shape shape : {denoise::Shape::dense, denoise::Shape::sparse}) {
    for (const double epsilon : {0.5, 0.1}) {
      for (const double dimension : {10.0, 40.0}) {
        DenoisePoint point{shape, epsilon, dimension, 5 / epsilon, {}};
        for (const denoise::Entrant entrant : denoise::entrants)
          point.outcomes.push_back(outcome(entrant, 0.25, {}, false));
        point.outcomes[0] = outcome(denoise::Entrant::raw, 1, {}, false);
        point.outcomes[1] = outcome(denoise::Entrant::james_stein, 0.25, 0.2, refuted && dimension == 40);
        made.push_back(point);
      }
    }
  }
  return made;
}

const DenoiseRequest request{{0.5, 0.1}, {10, 40}, 1e-6, 100, 2, {}, false};

TEST(CoverageDenoise, AsksThePapersExperimentUnlessToldOtherwise) {
  const auto usual = denoise_request(given({})).value();
  EXPECT_EQ(usual.dimension, (std::vector<double>{10, 30, 100, 300, 1000, 3000}));
  EXPECT_EQ(usual.epsilon, (std::vector<double>{0.1, 0.3, 1}));
  EXPECT_EQ(usual.delta, 1e-6);
  const auto told = denoise_request(given({{"dimension", {"10:50:3"}}, {"size", {"7"}}, {"json", {}}})).value();
  EXPECT_EQ(told.dimension, (std::vector<double>{10, 30, 50}));
  EXPECT_EQ(told.size, 7);
  EXPECT_TRUE(told.json);
}

TEST(CoverageDenoise, RefusesWhatItCannotSimulate) {
  EXPECT_EQ(said({{"dimension", {"3"}}}), "--dimension must be from 4 to 1e+06, but it is 3");
  EXPECT_EQ(said({{"simulations", {"1"}}}), "--simulations must be from 2 to 1000000, but it is 1");
  EXPECT_EQ(said({{"statistic", {"mean"}}}),
            "--statistic cannot be given with --denoise, whose vectors are invented; leave it out");
  EXPECT_EQ(said({{"delta", {"0:1:3"}}}), "--delta must be one number with --denoise");
  EXPECT_EQ(said({{"dimension", {"10:5000:600"}}, {"epsilon", {"1:2:2"}}}),
            "there are 1200 points, but at most 1000 can be asked together; ask fewer");
}

TEST(CoverageDenoise, SaysWhatIsRefuted) {
  EXPECT_EQ(denoise_refutation(points(false)), "");
  EXPECT_EQ(
      denoise_refutation(points(true)),
      "the error of james-stein on dense vectors of dimension 40 at epsilon 0.5 is 0.2500 times the variance of the "
      "noise, and theory bounds it by 0.2000; chance explains that in one of a billion runs at most");
  EXPECT_TRUE(points(true)[1].is_refuted());
  EXPECT_FALSE(points(true)[0].is_refuted());
  Output output;
  write_denoise_report(output, request, points(true));
  EXPECT_NE(output.text().find("0.250 refuted"), std::string::npos);
  EXPECT_EQ(output.text().find("nowhere worse"), std::string::npos);
}

TEST(CoverageDenoise, DrawsTheSmallestEpsilonAgainstTheDimension) {
  const plot::Chart chart = denoise_chart(request, points(false), denoise::Shape::sparse);
  ASSERT_EQ(chart.series.size(), 5u);
  const auto& raw = std::get<plot::Line>(chart.series[0]);
  ASSERT_EQ(raw.points.size(), 2u);
  EXPECT_EQ(raw.points[1].x, 40);
  EXPECT_NEAR(raw.points[1].y, std::sqrt(40.0) * 50 / 100, 1e-12);
  EXPECT_NEAR(std::get<plot::Line>(chart.series[1]).points[1].y, raw.points[1].y / 2, 1e-12);
  EXPECT_EQ(chart.x.title, "dimension");
  EXPECT_EQ(sparse_file("a/gain.svg"), "a/gain-sparse.svg");
}

TEST(CoverageDenoise, DrawsAgainstEpsilonWhereThereIsOneDimension) {
  std::vector<DenoisePoint> some;
  for (const DenoisePoint& point : points(false)) {
    if (point.dimension == 10) some.push_back(point);
  }
  const DenoiseRequest one{{0.5, 0.1}, {10}, 1e-6, 100, 2, {}, false};
  const plot::Chart chart = denoise_chart(one, some, denoise::Shape::dense);
  const auto& raw = std::get<plot::Line>(chart.series[0]);
  ASSERT_EQ(raw.points.size(), 2u);
  EXPECT_LT(raw.points[0].x, raw.points[1].x);
  EXPECT_EQ(chart.x.title, "epsilon");
}

}  // namespace
}  // namespace vernier::cli
