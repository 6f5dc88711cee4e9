#pragma once

#include "vernier/core/json_writer.hpp"
#include "vernier/release/release_json.hpp"

namespace vernier::release {

// What the certificate's form is called: a reader refuses every other.
inline constexpr std::int64_t certificate_version = 2;

// Everything from which the figures of the record follow and that is not in it already; the public key and an empty
// place for the signature come last.
Result<void> write_certificate(JsonWriter& json, const Release& release, const Asked& asked, const PublicKey& key);

// One event as the certificate writes it.
std::string event_json(const accounting::Event& event);

}  // namespace vernier::release
