#pragma once

#include <optional>
#include <vector>

#include "vernier/accounting/event.hpp"
#include "vernier/accounting/statement.hpp"

// What an event says of itself without its loss law.
namespace vernier::accounting {

// Its guarantee of epsilon and delta per release, with the amplification by sampling: ln(1 + q (e^epsilon - 1)) and
// q delta (Li, Qardaji and Su 2012). None for Gaussian noise and zCDP statements, which have none of their own.
std::optional<Statement> statement_of(const Event& event);

// Whether the worst release with that guarantee is what was released: then the optimal composition of the statements is
// exact. So for the statements themselves, and for geometric noise at sensitivity 1, whose loss takes two values.
bool is_its_statement(const Event& event);

// Zero-concentrated privacy of one release; none where it is sampled. A delta that the event spends beside it is kept
// apart.
struct Concentrated {
  double rho;        // rounded up
  double delta = 0;  // per release, rounded up
  double times = 1;
};
std::optional<Concentrated> concentrated(const Event& event);

// How often one release's loss law counts, with the groups of a key selection.
double copies(const Event& event);

}  // namespace vernier::accounting
