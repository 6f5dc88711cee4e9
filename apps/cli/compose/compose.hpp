#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/compose/event.hpp"
#include "cli/decimal.hpp"
#include "cli/output.hpp"
#include "vernier/accounting/accountant.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// `vernier compose`: what many releases cost together, with both bounds.
Usage compose_usage();
Result<void> run_compose(const Arguments& arguments, Output& output);

// For a program: what the command prints with --json, and what it draws with --plot (chart_json.hpp). No file is
// written.
Result<std::string> compose_json(const Given& given);
Result<std::string> compose_chart_json(const Given& given);

inline constexpr std::size_t most_events = 1'000'000;

// The events that are given and then those of the files that are: one a line, where # begins a comment. At least one;
// an error names the event, or its file and line.
Result<std::vector<StatedEvent>> events_of(const Given& given, privacy::Neighbours neighbours);

// What the user of `vernier compose` asks for, checked.
struct ComposeRequest {
  std::vector<StatedEvent> events;
  std::optional<Decimal> epsilon, delta;  // one of them, or both where a scale is to be found
  accounting::Tightness tightness;
  std::optional<std::string> plot;  // the file to draw in
  bool json;

  // Some events share a scale that is to be found for epsilon and delta.
  bool solves() const { return epsilon && delta; }
};

Result<ComposeRequest> compose_request(const Given& given);
Result<ComposeRequest> compose_request(const Arguments& arguments);  // with the file to draw in

// What was found: epsilon at the delta asked, delta at the epsilon asked, or both at the scale that meets them.
struct ComposeAnswer {
  std::optional<double> scale = {};
  std::optional<accounting::Guarantee> epsilon = {}, delta = {};
  std::vector<accounting::MethodFigure> methods = {};  // of epsilon where it was found, else of delta
  std::optional<std::string_view> why_apart = {};      // the two ends of what was found are

  // The figure that the methods are about.
  const accounting::Guarantee& figure() const { return epsilon ? *epsilon : *delta; }
  accounting::Guarantee& figure() { return epsilon ? *epsilon : *delta; }
};

// The accountant of the events of a request, rounded for an end.
Result<accounting::Accountant> accountant_for(End end, const std::vector<StatedEvent>& events, double open_scale);

Result<ComposeAnswer> answer_to(const ComposeRequest& request);

}  // namespace vernier::cli
