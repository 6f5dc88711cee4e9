#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/release/record/record.hpp"
#include "vernier/release/signing/signing_key.hpp"

// Whether a release is what its record says, from the record alone: certificate.md has what is recomputed and what has
// to be believed.
namespace vernier::release {

// One kind of fact, and how many of them were looked at.
struct Check {
  std::string_view name;  // "intervals"
  std::string_view what;  // for a person
  std::int64_t count;
};

struct Verdict {
  std::vector<Check> checks;  // those that hold, in their order; what comes after a problem is not looked at
  std::optional<std::string> first_problem;  // none: everything holds
  std::optional<Record> record;              // once it is read
  std::optional<PublicKey> signer;           // once the signature holds

  bool holds() const { return !first_problem; }
};

// `expected`: whose signature it must be; without it any key that the record names will do. Never throws.
Verdict verify(std::string_view text, const std::optional<PublicKey>& expected);

}  // namespace vernier::release
