#include <random>

#include <gtest/gtest.h>

#include "ledger/races/audit.hpp"
#include "ledger/races/model.hpp"
#include "ledger/races/needed.hpp"
#include "ledger/simulated_disk.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/ledger/sqlite/store.hpp"

// Histories that a seed chooses: clients, crashes, power cuts, clocks that jump, shares that change and requests that
// come again. After each step the ledger is what the model is.
namespace vernier::testing {

using namespace ledger;

namespace {

constexpr std::int64_t percent = 10'000'000'000'000'000;  // of the budgets below, in quanta

const Terms terms{Accountant::approximate, *numeric::Rational::of_decimal("10"),
                  *numeric::Rational::of_decimal("1e-6")};
const std::vector<std::string> analysts = {"ada", "bo", "cy"};

// Mutants, which the comparison must find.
enum class Flaw : std::uint8_t { none, lying_disk, forgetful_client };

class Simulation {
 public:
  Simulation(std::uint64_t seed, std::filesystem::path witness, Flaw flaw)
      : chance_(seed), witness_(std::move(witness)), flaw_(flaw), model_(Cost{100 * percent, 100 * percent}) {
    std::filesystem::remove(witness_);
    if (flaw_ == Flaw::lying_disk) disk_.ignore_syncs();
  }

  // The first thing that is not as the model has it; "" where there is none.
  std::string run(int steps) {
    for (int i = 0; i < steps && fault_.empty(); ++i) step();
    if (fault_.empty()) end();
    clients_.clear();
    return fault_;
  }

  std::int64_t power_cuts() const { return power_cuts_; }

 private:
  using Choice = std::uint64_t;
  Choice pick(Choice number) { return chance_() % number; }

  void expect(bool holds, const std::string& fault) {
    if (!holds && fault_.empty()) fault_ = fault;
  }

  void step();
  void end();
  void jump();
  void change_shares();
  void crash();
  void cut_power();
  bool is_open();
  void compare(const Ledger& ledger);
  void act(Ledger& ledger);
  void reserve(Ledger& ledger, const Spend& spend);
  void settle(Ledger& ledger);
  Spend new_spend();
  Spend old_spend();
  Documents documents() { return {{"release.json", std::to_string(chance_())}}; }

  // The outcome of the real thing, or that it failed in a power cut.
  void judge(const std::string& real, const std::string& expected, Model after) {
    const bool failed = real.starts_with("failed");
    if (failed && is_dark_) {
      in_flight_ = std::move(after);
      return;
    }
    expect(real == expected || expected == "settled before", "it was '" + real + "' and not '" + expected + "'");
    model_ = std::move(after);
  }

  std::mt19937_64 chance_;
  std::filesystem::path witness_;
  Flaw flaw_;
  Model model_;
  std::optional<Model> in_flight_;  // what may have happened in a power cut, or not
  SimulatedDisk disk_;
  std::vector<std::unique_ptr<Ledger>> clients_;
  Model::Quarters quarters_;
  std::int64_t now_ = 1700000000;
  bool is_dark_ = false;  // the power goes during this step
  int names_ = 0;
  std::int64_t power_cuts_ = 0;
  std::string fault_;
};

void Simulation::step() {
  now_ += static_cast<std::int64_t>(pick(3));
  const Choice what = pick(100);
  if (what < 4) return jump();
  if (what < 7) return change_shares();
  if (what < 11) return crash();
  if (what < 15) return cut_power();
  if (what < 20 && !clients_.empty()) return void(clients_.erase(clients_.begin()));
  if (is_open()) act(*clients_[pick(clients_.size())]);
}

void Simulation::jump() {
  const std::int64_t times[] = {0, -5, now_ - 86400, now_ + 31536000, 1700000000};
  now_ = times[pick(5)];
}

// From the next opening on.
void Simulation::change_shares() {
  const Model::Quarters divisions[] = {{}, {{"ada", 1}, {"bo", 2}}, {{"ada", 2}, {"bo", 1}, {"cy", 1}}, {{"cy", 4}}};
  quarters_ = divisions[pick(4)];
  clients_.clear();
}

// Up to three clients. A step may fail to open in a power cut, and otherwise never.
bool Simulation::is_open() {
  if (!clients_.empty() && (clients_.size() == 3 || pick(4) != 0)) return true;
  Shares shares;
  for (const auto& [analyst, quarters] : quarters_) {
    shares.push_back({analyst, *quotient(numeric::Rational::of(quarters), numeric::Rational::of(4))});
  }
  Model after = model_;
  after.open(quarters_, now_);
  auto store = open_sqlite("/ledger", Missing::is_made, disk_.name());
  if (!store) {
    judge("failed: " + store.error().sentence(), "opened", std::move(after));
    return false;
  }
  auto ledger = Ledger::open(*std::move(store), terms,
                             {.witness = {.file = witness_}, .shares = shares, .clock = [this] { return now_; }});
  judge(ledger ? "opened" : "failed: " + ledger.error().sentence(), "opened", std::move(after));
  if (ledger) clients_.push_back(*std::move(ledger));
  return ledger.has_value();
}

void Simulation::compare(const Ledger& ledger) {
  const Book book = ledger.book();
  expect(book.position().index == model_.entries(), "the entries are not those of the model");
  expect(book.balance().left == model_.left(), "what is left is not what the model has left");
  for (const std::string& analyst : analysts) {
    const auto spent = model_.spent().find(analyst);
    expect(book.spent_by(analyst) == (spent == model_.spent().end() ? Cost{} : spent->second),
           analyst + " spent another sum than in the model");
  }
}

void Simulation::act(Ledger& ledger) {
  const Choice what = pick(10);
  if (what < 5)
    reserve(ledger, new_spend());
  else if (what < 8 || model_.paid().empty())
    settle(ledger);
  else
    reserve(ledger, old_spend());
  if (!is_dark_) compare(ledger);
}

Spend Simulation::new_spend() {
  const std::string name = std::to_string(++names_);
  const Cost cost{percent * static_cast<std::int64_t>(1 + pick(12)), percent * static_cast<std::int64_t>(pick(12))};
  return {.release = "release-" + name,
          .study = "study",
          .plan = "plan-" + std::to_string(pick(3)),
          .unit = "person",
          .price = {cost},
          .analyst = analysts[pick(3)],
          .request = pick(4) == 0 ? "" : "request-" + name};
}

// As it was, or with another plan or analyst.
Spend Simulation::old_spend() {
  Spend spend = model_.paid()[pick(model_.paid().size())].spend;
  if (spend.request.empty()) return new_spend();
  spend.release = "release-" + std::to_string(++names_);
  if (pick(8) == 0) spend.plan += "x";
  if (pick(8) == 0) spend.analyst = "bo";
  return spend;
}

void Simulation::reserve(Ledger& ledger, const Spend& spend) {
  Model after = model_;
  const std::string expected = after.reserve(spend, now_);
  const std::string real = told(ledger.reserve(spend));
  if (flaw_ == Flaw::forgetful_client && expected.starts_with("granted")) after = model_;
  judge(real, expected, std::move(after));
}

// Something that was paid for, or that never was; the first time, or once more.
void Simulation::settle(Ledger& ledger) {
  const bool is_unknown = model_.paid().empty() || pick(10) == 0;
  const std::string release = is_unknown ? "release-unknown" : model_.paid()[pick(model_.paid().size())].spend.release;
  const Documents answer = documents();
  Model after = model_;
  const std::string expected = after.settle(release, answer, now_);
  judge(told(ledger.settle(release, answer)), expected, std::move(after));
}

// Nothing is closed in order, but what was written stays.
void Simulation::crash() {
  disk_.stop_at(disk_.calls() + 1);
  clients_.clear();
  disk_.restart();
}

// In the middle of a step, or after it; then what was not synced is gone, and the step has happened or not.
void Simulation::cut_power() {
  ++power_cuts_;
  is_dark_ = true;
  disk_.stop_at(disk_.calls() + 1 + static_cast<std::int64_t>(pick(50)));
  if (is_open()) act(*clients_[pick(clients_.size())]);
  disk_.stop_at(disk_.calls() + 1);
  clients_.clear();
  disk_.cut_power(chance_());
  if (flaw_ == Flaw::lying_disk) disk_.ignore_syncs();
  is_dark_ = false;
  if (!in_flight_) return;
  const auto store = open_sqlite("/ledger", Missing::is_made, disk_.name());
  const Result<std::optional<Book>> book = store ? look(**store, terms, {}) : Failure(store.error());
  expect(book.has_value(), "it does not open after a power cut: " + (book ? "" : book.error().sentence()));
  if (book && (*book ? (*book)->position().index : 0) == in_flight_->entries()) model_ = *std::move(in_flight_);
  in_flight_.reset();
}

// All of it, read once more: every request is where the model has it, and every entry has its time.
void Simulation::end() {
  if (model_.entries() == 0) return;
  clients_.clear();
  while (clients_.empty() && fault_.empty()) is_open();
  if (!fault_.empty()) return;
  for (const Model::Paid& paid : std::vector(model_.paid())) {
    if (!paid.spend.request.empty()) reserve(*clients_[0], paid.spend);
  }
  compare(*clients_[0]);
  const auto store = needed(open_sqlite("/ledger", Missing::is_error, disk_.name()));
  const Audit found = audit(*store, terms, {.file = witness_});
  for (const std::string& fault : faults_of(found, terms)) expect(false, fault);
  for (std::size_t i = 0; i < found.entries.size() && i < model_.times().size(); ++i) {
    expect(found.entries[i].time == model_.times()[i], "an entry has another time than the clock had");
  }
}

struct Histories {
  int faulty = 0;
  std::int64_t power_cuts = 0;
  std::string first_fault = {};
};

Histories simulate(std::uint64_t first, int seeds, int steps, Flaw flaw) {
  const TemporaryFolder folder(quick_folder());
  Histories all;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(seeds); ++seed) {
    Simulation history(seed, folder.path() / "witness", flaw);
    const std::string fault = history.run(steps);
    all.power_cuts += history.power_cuts();
    if (fault.empty()) continue;
    if (all.faulty++ == 0) all.first_fault = "seed " + std::to_string(seed) + ": " + fault;
  }
  return all;
}

void expect_the_model(std::uint64_t first, int seeds) {
  const Histories all = simulate(first, seeds, 60, Flaw::none);
  EXPECT_EQ(all.first_fault, "") << all.faulty << " of " << seeds << " histories";
  EXPECT_GT(all.power_cuts, seeds);
}

TEST(Simulation, TwentyHistoriesAreThoseOfTheModel) { expect_the_model(1, 20); }
TEST(SlowSimulation, FiveHundredHistoriesAreThoseOfTheModel) { expect_the_model(1000, 500); }
TEST(HeavySimulation, ThousandsOfHistoriesAreThoseOfTheModel) { expect_the_model(10000, 2500); }
TEST(HeavySimulation, ThousandsMoreAreThoseOfTheModel) { expect_the_model(20000, 2500); }

// A disk that only says that it synced, and a model that forgets a spend, are found.
TEST(MutantOfSimulation, IsFound) {
  EXPECT_GT(simulate(1, 10, 60, Flaw::lying_disk).faulty, 0);
  EXPECT_GT(simulate(1, 5, 60, Flaw::forgetful_client).faulty, 0);
}

}  // namespace
}  // namespace vernier::testing
