#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vernier/random/source.hpp"
#include "vernier/release/release.hpp"

// What readers would see: a plan run on invented rows, by the samplers and the interval makers of a release. No session
// is opened, no ledger is read and nothing is paid; what comes out has no id, and cannot be signed or stored
// (rehearse.md).
namespace vernier::release {

enum class InventedSizes : std::uint8_t { equal, zipf };    // rows of the groups: typical_rows each, or 1, 1/2, 1/3 ...
enum class InventedValues : std::uint8_t { even, middle };  // between the bounds: evenly, or most of them in the middle

struct RehearsalRequest {
  InventedSizes sizes = InventedSizes::equal;
  InventedValues values = InventedValues::even;
  std::size_t frames = 30;  // outcomes
};

inline constexpr std::size_t most_rehearsed_groups = 12;  // the first ones; all, where intervals hold for all at once

struct RehearsedColumn {
  std::string column;
  double accuracy;  // that the plan promises
  // Errors of which each is as likely as any other, smallest first: 20 of them, or 100 where alpha is below 0.05. The
  // size of each is a quantile of the law that is sampled, at the middle of its part; signs alternate. Of a figure
  // that combines several noises they are the errors of the frames.
  std::vector<double> errors;
  std::size_t within;  // of them, that are within the accuracy
  bool is_of_law;      // else of the frames
};

struct RehearsedGroup {
  std::vector<query::Value> keys;  // of private ones invented
  std::int64_t rows;
  std::vector<std::optional<double>> exact;  // what the figure of each column is of the invented rows
};

// A frame has for every group and column the number; none where the group would not have been published.
using RehearsedFrame = std::vector<std::vector<std::optional<Number>>>;

struct RehearsedStatistic {
  std::string name;
  std::vector<RehearsedGroup> groups;
  std::vector<RehearsedColumn> columns;
  std::vector<RehearsedFrame> frames;
  std::string why_not = {};  // why it is not rehearsed, as a sentence; empty where it is
};

// One for each statistic of the plan. [[table]]s are left out.
Result<std::vector<RehearsedStatistic>> rehearse(const plan::Plan& plan, const RehearsalRequest& request,
                                                 random::Source& source);

}  // namespace vernier::release
