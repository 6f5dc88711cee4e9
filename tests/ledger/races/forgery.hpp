#pragma once

#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "ledger/races/audit.hpp"
#include "ledger/races/lives.hpp"

// What somebody with the rights to a ledger's file may do to it, and whether that is noticed.
namespace vernier::testing {

// A ledger in a folder of its own with two shares, requests and answers, and its witness; closed.
struct Original {
  std::filesystem::path folder;
  Audit content;
  std::vector<std::filesystem::path> older;  // copies from 1, 10 and 1,000 entries ago, as far as there are so many
};

extern const ledger::Terms forged_terms;

Home home_in(const std::filesystem::path& folder);  // the ledger there, with its witness

// Each of the releases is three entries: reserve, settle, and one that is never answered.
Original make_original(const std::filesystem::path& folder, int releases);

using Chance = std::mt19937_64;

// Changes the ledger in a folder, which was copied from the original; what was done, in a few words.
struct Forgery {
  const char* name;
  std::function<std::string(const Original&, const std::filesystem::path& folder, Chance&)> commit;
};
const std::vector<Forgery>& forgeries();

enum class Verdict : std::uint8_t {
  refused,    // at opening, with one sentence
  silenced,   // an answer that was changed is not given out any more; everything else is as before
  unchanged,  // every entry, every answer and every balance is as before
  forgotten,  // a request or its answer is not found any more: it is charged once more, or called unanswered
  accepted,   // anything else
};

struct Finding {
  Verdict verdict;
  std::string words;  // the refusal, or what is accepted
};
Finding finding_of(const Original& original, const std::filesystem::path& folder, const ledger::WitnessPlace& witness);

}  // namespace vernier::testing
