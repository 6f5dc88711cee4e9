#pragma once

#include <optional>
#include <string_view>

#include "vernier/ledger/documents.hpp"
#include "vernier/ledger/entry.hpp"

// What every store does with the texts of a row.
namespace vernier::ledger {

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
