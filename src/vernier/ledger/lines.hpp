#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/ledger/ledger.hpp"

// The text of a ledger: one line for the terms, then one for each entry. A line is the SHA-256 of its body, a blank,
// and the body in JSON, which holds the hash of the line before; so the last hash stands for all of them.
namespace vernier::ledger {

struct Line {
  std::string hash;
  std::string text;  // with its end of line
};

struct Entry {
  std::string release;
  std::string study;
  std::string plan_hash;
  Offer taken;
};

Result<Line> line_of(const Terms& terms);
Result<Line> line_of(const Entry& entry, std::int64_t index, std::string_view previous);

// Everything that a ledger says.
struct Contents {
  Terms terms;
  std::vector<Entry> entries;
  std::string head;
};

// An error where a line is not whole, was changed, or is not the next one; `name` is what the file is called.
Result<Contents> read_lines(std::string_view name, std::string_view text);

}  // namespace vernier::ledger
