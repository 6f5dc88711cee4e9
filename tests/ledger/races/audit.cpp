#include "ledger/races/audit.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "ledger/races/needed.hpp"

namespace vernier::testing {

using namespace ledger;  // all of it is about ledgers

namespace {

void read_entries(Store& store, Audit& audit) {
  const auto view = needed(store.begin(Access::read));
  needed(view->visit_after(0, [&](const Entry& entry) -> Result<void> {
    audit.entries.push_back(entry);
    return {};
  }));
  if (const auto tally = needed(view->tally())) audit.left = tally->left;
  for (const Entry& entry : audit.entries) {
    if (entry.kind == Kind::reserve) audit.spent = audit.spent + entry.cost;
    if (entry.kind == Kind::settle) audit.documents[entry.release] = needed(view->documents(entry.release));
  }
}

class Faults {
 public:
  void add_unless(bool holds, const std::string& fault) {
    if (!holds) faults_.push_back(fault);
  }
  std::vector<std::string> take() && { return std::move(faults_); }

 private:
  std::vector<std::string> faults_;
};

}  // namespace

Terms terms_of_units(int units) { return {Accountant::pure, numeric::Rational::of(units), numeric::Rational::of(0)}; }

Spend spend_of_units(const Terms& terms, int units, const std::string& release) {
  const Quanta quanta = Quanta::of(terms.epsilon, terms.delta);
  const Cost cost = quanta.spend(numeric::Rational::of(units), numeric::Rational::of(0));
  return {release, "units", std::string(64, 'a'), "person", {cost}};
}

Audit audit(Store& store, const Terms& terms, const WitnessPlace& witness) {
  Audit found;
  try {
    read_entries(store, found);
  } catch (const std::exception& error) {
    found.problem = error.what();
    return found;
  }
  const auto book = look(store, terms, {.witness = witness});
  if (!book) found.problem = book.error().sentence();
  return found;
}

std::int64_t count(const Audit& audit, Kind kind) {
  return std::count_if(audit.entries.begin(), audit.entries.end(), [&](const Entry& one) { return one.kind == kind; });
}

std::vector<std::string> faults_of(const Audit& audit, const Terms& terms) {
  Faults faults;
  faults.add_unless(audit.problem.empty(), audit.problem);
  std::set<std::string> reserved, settled, requests;
  for (const Entry& entry : audit.entries) {
    if (entry.kind == Kind::reserve) {
      faults.add_unless(reserved.insert(entry.release).second, entry.release + " was charged twice");
      faults.add_unless(entry.request.empty() || requests.insert(entry.request).second,
                        "the request " + entry.request + " was charged twice");
    }
    if (entry.kind == Kind::settle) {
      faults.add_unless(reserved.contains(entry.release), entry.release + " was answered before it was paid for");
      faults.add_unless(settled.insert(entry.release).second, entry.release + " was answered twice");
      const auto documents = audit.documents.find(entry.release);
      faults.add_unless(documents != audit.documents.end() && digest_of(documents->second).value() == entry.content,
                        "the documents of " + entry.release + " are others than were settled");
    }
  }
  const Cost budget = Quanta::of(terms.epsilon, terms.delta).budget();
  faults.add_unless(fits(audit.spent, budget), "more was spent than there was");
  faults.add_unless(audit.entries.empty() || audit.spent + audit.left == budget,
                    "what is spent and what is left are not the budget");
  return std::move(faults).take();
}

std::string told(const std::vector<std::string>& faults) {
  std::string text;
  for (const std::string& fault : faults) text += fault + "\n";
  return text;
}

}  // namespace vernier::testing
