#pragma once

#include <memory>

#include "vernier/engine/sql/connection.hpp"

namespace vernier::engine {

// By Trino's REST interface, as the user of the address; a password is in VERNIER_TRINO_PASSWORD, or a token in
// VERNIER_TRINO_TOKEN. To another machine only by TLS whose certificate is verified, unless the catalog says plaintext
// = true. Tables of Iceberg are read in the state that they had when the run began; of others every statement sees its
// own.
Result<std::unique_ptr<Connection>> connect_trino(const query::Engine& engine);

}  // namespace vernier::engine
