#include "cli/chart_json.hpp"

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

TEST(ChartJson, TellsAxesAndEverySeries) {
  plot::Chart chart;
  chart.title = "one \"chart\"";
  chart.x = {"epsilon", 0.5, 2, 0, true};
  chart.series = {plot::Line{"claim", plot::Colour::first, {{1, 2}, {3, 4}}, plot::Stroke::dashed},
                  plot::Stems{"", plot::Colour::second, {{5, 6}}}, plot::Dots{"seen", plot::Colour::sixth, {{7, 8}}},
                  plot::Bars{"", plot::Colour::third, {{0, 1, 0.5}}}};
  EXPECT_EQ(chart_json(chart), R"({"title":"one \"chart\"","subtitle":"","x":{"title":"epsilon","low":0.5,"high":2,)"
                               R"("logarithmic":true},"y":{"title":"","low":0,"high":1,"logarithmic":false},"series":[)"
                               R"({"name":"claim","colour":1,"kind":"line","stroke":"dashed","x":[1,3],"y":[2,4]},)"
                               R"({"name":"","colour":2,"kind":"stems","x":[5],"y":[6]},)"
                               R"({"name":"seen","colour":6,"kind":"dots","x":[7],"y":[8]},)"
                               R"({"name":"","colour":3,"kind":"bars","left":[0],"right":[1],"height":[0.5]}]})");
}

}  // namespace
}  // namespace vernier::cli
