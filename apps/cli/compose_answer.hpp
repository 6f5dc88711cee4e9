#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cli/compose_request.hpp"
#include "cli/rounded_event.hpp"
#include "vernier/accounting/accountant.hpp"

namespace vernier::cli {

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
