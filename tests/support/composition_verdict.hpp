#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/exact_reference.hpp"
#include "vernier/accounting/accountant.hpp"

namespace vernier::test {

// A composition, and what is known of its exact delta.
struct Composition {
  std::vector<accounting::Event> events;
  Reference reference;
  bool is_exact;  // the reference is, to 1e-9 and better
  double delta;   // to ask about
};

// Whatever answers the two questions about a list of events; none where it refuses.
struct AnyAccountant {
  using Events = std::vector<accounting::Event>;
  std::function<std::optional<Bounds>(const Events&, double delta)> epsilon;
  std::function<std::optional<Bounds>(const Events&, double epsilon)> delta;
};

// The library's.
AnyAccountant certified_accountant(accounting::Tightness tightness);

// What the referee finds. Each finding adds a sentence with the very inputs, the first twenty of them.
struct Verdict {
  int questions = 0;
  int optimistic = 0;   // an upper end that is certainly below the exact figure
  int overclaimed = 0;  // a lower end that is certainly above it
  int loose = 0;        // an upper end more than 1 % above the exact figure, where that is known
  int wide = 0;         // ends more than 1 % apart
  int slack = 0;        // ends further apart than was asked for, though within 1 %
  int refused = 0;
  std::vector<std::string> sentences;

  std::string told() const;
};

// Asks for epsilon at the composition's delta, and judges.
void judge_epsilon(Verdict& verdict, const AnyAccountant& accountant, const Composition& composition, double tightness);
// Asks for delta at this epsilon, and judges.
void judge_delta(Verdict& verdict, const AnyAccountant& accountant, const Composition& composition, double epsilon);

std::string described(const std::vector<accounting::Event>& events);

}  // namespace vernier::test
