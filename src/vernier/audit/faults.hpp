#pragma once

#include <optional>

#include "vernier/audit/finding.hpp"
#include "vernier/audit/program.hpp"

namespace vernier::audit {

// A table with a ledger of budget 1, for faults to be tried on.
class LedgerBench {
 public:
  static Result<LedgerBench> make(const Program& program, int rows);

  // What the ledger says of itself; none where it is refused.
  struct State {
    double spent;
    std::int64_t entries;
    std::string head;
    friend bool operator==(const State&, const State&) = default;
  };
  Result<std::optional<State>> state() const;

  // A count at this price.
  static std::vector<std::string> question(const std::string& epsilon);
  Result<Ran> ask(const std::string& epsilon, const Hindrance& hindrance = {}) const;
  Result<std::vector<Ran>> ask_at_once(const std::string& epsilon, int times) const;

  // The ledger's file as bytes, and other bytes in their place; logs beside it are removed then.
  Result<std::string> bytes() const;
  Result<void> put(const std::string& bytes) const;

  // Whether something was written to the ledger since this was called.
  std::function<bool()> is_written_to() const;

 private:
  LedgerBench(const Program& program, Folder folder) : program_(&program), folder_(std::move(folder)) {}
  std::filesystem::path file(const char* suffix = "") const;
  const Program* program_;
  Folder folder_;
};

// An answer came out: something was printed, and the program says that all is well.
inline bool is_answered(const Ran& ran) { return ran.code == 0 && !ran.printed.empty(); }

// What can happen to a ledger, tried on the program in folders of its own: nothing may be answered that was not paid
// for, and what was paid stays paid.
Result<Section> audited_ledger(const Program& program, const Timekeeper& time);

}  // namespace vernier::audit
