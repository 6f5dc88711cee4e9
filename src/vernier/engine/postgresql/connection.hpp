#pragma once

#include <memory>

#include "vernier/engine/sql/connection.hpp"

namespace vernier::engine {

// By libpq, with its own ways to a password: PGPASSWORD, ~/.pgpass, service files, client certificates. To another
// machine only by TLS whose certificate is verified, unless the catalog says plaintext = true. A role that may do more
// than read is refused. All statements see one snapshot.
Result<std::unique_ptr<Connection>> connect_postgresql(const query::Engine& engine);

}  // namespace vernier::engine
