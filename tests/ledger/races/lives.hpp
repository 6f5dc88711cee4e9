#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ledger/races/audit.hpp"
#include "ledger/races/crew.hpp"

// Processes that release something against a ledger and may be killed at any moment, and whether what they told the
// world before that is true afterwards.
namespace vernier::testing {

// Where a ledger lies, for processes that come and go.
struct Home {
  std::function<std::unique_ptr<ledger::Store>()> store;
  ledger::Terms terms;
  ledger::WitnessPlace witness;

  std::unique_ptr<ledger::Ledger> open() const;
};

// When an answer is given. All but the first are mutants.
enum class Order : std::uint8_t { settled_first, before_it_is_settled, before_it_is_paid };

// Opens the ledger and says "opened"; reserves, runs and settles one request after the other, each with documents that
// nobody can guess. Says "reserved ID" once it is paid for, and "answered ID CONTENT" to give the answer.
void live(const Home& home, const std::string& name, int requests, Order order, const Say& say);

ledger::Spend spend_of_request(const Home& home, const std::string& request);
ledger::Documents documents_of(const std::string& content);

// What was said before the end, over many lives.
struct Witnessed {
  std::set<std::string> reserved = {};
  std::map<std::string, std::string> answered = {};  // contents by requests
  std::vector<std::string> errors = {};

  void add(const std::vector<std::string>& lines);
};

// Whether everything that was said is there, nothing was released that was not debited, and everybody who asks again
// gets the same bytes or is told that the request was paid and not answered, without a charge.
std::vector<std::string> faults_of_lives(const Home& home, const Witnessed& said);

}  // namespace vernier::testing
