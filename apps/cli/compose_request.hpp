#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/decimal.hpp"
#include "cli/stated_event.hpp"
#include "vernier/accounting/accountant.hpp"

namespace vernier::cli {

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

Result<ComposeRequest> compose_request(const Arguments& arguments);

}  // namespace vernier::cli
