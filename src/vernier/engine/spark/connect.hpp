#pragma once

#include <memory>

#include "vernier/core/result.hpp"
#include "vernier/engine/sql/connection.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::engine {

// By Spark Connect (sc://HOST:PORT), in a session of its own, which ends with the connection; a token is in
// VERNIER_SPARK_TOKEN. To another machine only by TLS whose certificate is verified, unless the catalog says plaintext
// = true. No state of the data is held.
Result<std::unique_ptr<Connection>> connect_spark(const query::Engine& engine);

}  // namespace vernier::engine
