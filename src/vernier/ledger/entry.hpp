#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/hash.hpp"
#include "vernier/core/result.hpp"
#include "vernier/ledger/price.hpp"

namespace vernier::ledger {

enum class Kind : std::uint8_t {
  terms,    // the first: `content` has the terms
  shares,   // `content` has the shares from here on
  reserve,  // a release was paid for
  settle,   // its answer was stored: `content` has the hash of the documents
};
std::string_view name_of(Kind kind);

// One line of a ledger. What does not concern its kind is empty or 0.
struct Entry {
  std::int64_t index = 0;  // from 1 on, without a gap
  Kind kind = Kind::terms;
  std::int64_t time = 0;     // seconds since 1970, as the clock said; nothing rests on it
  std::string release = {};  // of reserve and settle: the release's id
  std::string request = {};  // of reserve: by which a retry finds its answer; may be empty
  std::string analyst = {};  // who asked; may be empty
  std::string study = {};    // what it is called
  std::string unit = {};     // whom it protects: a column, or "row"
  std::string plan = {};     // the hash of the plan
  Manner manner = Manner::total;
  Cost cost = {};
  std::string content = {};
  std::string hash = {};  // of the previous entry's hash and of all above, in hex

  friend bool operator==(const Entry&, const Entry&) = default;
};

// How far a ledger goes, and the hash that stands for everything up to there; 0 and "" where it is empty.
struct Position {
  std::int64_t index = 0;
  std::string head;

  friend bool operator==(const Position&, const Position&) = default;
};

// SHA-256 over netstrings (length, colon, bytes, comma) of: the previous hash, then the fields of the entry in their
// order, numbers as decimals, names for kind and manner. ledger.md has a script that checks it.
Result<Sha256Digits> digits_of(std::string_view previous, const Entry& entry);
Result<std::string> hash_of(std::string_view previous, const Entry& entry);

// A file of a release, as it is stored and given out again.
struct Document {
  std::string name;  // "release.json"
  std::string content;

  friend bool operator==(const Document&, const Document&) = default;
};
using Documents = std::vector<Document>;

// SHA-256 over netstrings of names and contents, in their order.
Result<std::string> digest_of(const Documents& documents);

const Document* document_named(const Documents& documents, std::string_view name);

// What every store does with the texts of a row.
// The columns of an entry, in the order of its fields.
inline const std::string entry_columns =
    "idx, kind, time, release, request, analyst, study, unit, plan, manner, epsilon, delta, content, hash";

// Back from `name_of`.
std::optional<Kind> kind_named(std::string_view name);
std::optional<Manner> manner_named(std::string_view name);

// An error for a text that a database could not give back as it is: PostgreSQL's end at a zero byte. Contents of
// documents may hold any bytes.
Result<void> texts_fit(const std::string& ledger, const Entry& entry);
Result<void> texts_fit(const std::string& ledger, const std::string& release, const Documents& documents);

}  // namespace vernier::ledger
