#include "ledger/races/lives.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <sstream>

#include "ledger/races/needed.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/random/entropy.hpp"

namespace vernier::testing {

using namespace ledger;

namespace {

constexpr std::size_t most_asked_again = 200;  // of the last entries

std::string noise() {
  std::array<std::byte, 24> bytes;
  needed(random::KernelEntropy::read(bytes));
  return hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// Steps of a release, in the order that is asked for.
class Release {
 public:
  Release(Ledger& ledger, const Home& home, std::string request, const Say& say)
      : ledger_(ledger), spend_(spend_of_request(home, request)), say_(say) {}

  void pay() {
    const Reservation reservation = needed(ledger_.reserve(spend_));
    if (!std::holds_alternative<Granted>(reservation)) throw std::runtime_error("it was no new request");
    say_("reserved " + spend_.request);
  }
  void settle() { needed(ledger_.settle(spend_.release, documents_of(content_))); }
  void answer() { say_("answered " + spend_.request + " " + content_); }

 private:
  Ledger& ledger_;
  Spend spend_;
  const Say& say_;
  std::string content_ = noise();
};

// Asked again: what was answered, what was paid for and not answered, and no charge.
class AskedAgain {
 public:
  AskedAgain(const Home& home, const Witnessed& said, std::vector<std::string>& faults)
      : home_(home), said_(said), faults_(faults), ledger_(home.open()) {}

  void ask(const Entry& reserved) {
    const auto again = ledger_->reserve(spend_of_request(home_, reserved.request));
    if (!again || std::holds_alternative<Granted>(*again)) {
      faults_.push_back(reserved.request + " was charged again");
      return;
    }
    const auto said = said_.answered.find(reserved.request);
    const auto* answered = std::get_if<Answered>(&*again);
    if (said == said_.answered.end()) return;
    if (answered == nullptr) faults_.push_back("the answer to " + reserved.request + " was lost");
    if (answered != nullptr && answered->documents != documents_of(said->second)) {
      faults_.push_back("the answer to " + reserved.request + " became another one");
    }
  }

 private:
  const Home& home_;
  const Witnessed& said_;
  std::vector<std::string>& faults_;
  std::unique_ptr<Ledger> ledger_;
};

void check_debits(const Audit& found, const Witnessed& said, std::vector<std::string>& faults) {
  std::set<std::string> paid;
  for (const Entry& entry : found.entries) {
    if (entry.kind == Kind::reserve) paid.insert(entry.request);
  }
  for (const std::string& request : said.reserved) {
    if (!paid.contains(request)) faults.push_back("the debit of " + request + " was lost");
  }
  for (const auto& [request, content] : said.answered) {
    if (!paid.contains(request)) faults.push_back(request + " was released and not paid for");
  }
}

}  // namespace

std::unique_ptr<Ledger> Home::open() const { return needed(Ledger::open(store(), terms, {.witness = witness})); }

Spend spend_of_request(const Home& home, const std::string& request) {
  Spend spend = spend_of_units(home.terms, 1, "release-" + request);
  spend.request = request;
  return spend;
}

Documents documents_of(const std::string& content) {
  return {{"release.json", "{\"noise\": \"" + content + "\"}\n"}, {"table.csv", "n\n" + content + "\n"}};
}

void live(const Home& home, const std::string& name, int requests, Order order, const Say& say) {
  const std::unique_ptr<Ledger> ledger = home.open();
  say("opened");
  for (int i = 0; i < requests; ++i) {
    Release release(*ledger, home, name + "-" + std::to_string(i), say);
    if (order == Order::before_it_is_paid) release.answer();
    release.pay();
    if (order == Order::before_it_is_settled) release.answer();
    release.settle();
    if (order == Order::settled_first) release.answer();
  }
}

void Witnessed::add(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    std::istringstream in(line);
    std::string what, request, content;
    in >> what >> request >> content;
    if (what == "reserved") reserved.insert(request);
    if (what == "answered") answered[request] = content;
    if (what == "error:") errors.push_back(line);
  }
}

std::vector<std::string> faults_of_lives(const Home& home, const Witnessed& said) {
  std::vector<std::string> faults;
  try {
    AskedAgain again(home, said, faults);
    const Audit found = audit(*home.store(), home.terms, home.witness);
    faults = faults_of(found, home.terms);
    check_debits(found, said, faults);
    const std::size_t first = found.entries.size() - std::min(found.entries.size(), most_asked_again);
    for (const Entry& entry : std::span(found.entries).subspan(first)) {
      if (entry.kind == Kind::reserve) again.ask(entry);
    }
    const std::vector<std::string> later = faults_of(audit(*home.store(), home.terms, home.witness), home.terms);
    faults.insert(faults.end(), later.begin(), later.end());  // such as what was charged twice
  } catch (const std::exception& error) {
    faults.emplace_back(error.what());
  }
  return faults;
}

}  // namespace vernier::testing
