#pragma once

#include <vector>

#include "support/parameters.hpp"
#include "vernier/accounting/event.hpp"

// Lists of events as they come in life, and as nobody would write them: from one to six of every kind, scales from 0.01
// to 1e6 beside each other, on samples from 1e-12 to everyone.
namespace vernier::test {

struct RandomList {
  std::vector<accounting::Event> events;
  double delta;    // to ask epsilon at
  double epsilon;  // to ask delta at
};

RandomList random_list(Parameters& any);

// Whether a statement by rho or a key selection is among them: their two ends have laws of their own.
bool has_statement_with_a_gap(const std::vector<accounting::Event>& events);

}  // namespace vernier::test
