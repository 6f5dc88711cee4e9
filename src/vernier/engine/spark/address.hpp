#pragma once

#include <string>

#include "vernier/core/result.hpp"
#include "vernier/engine/spark/grpc.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::engine {

// sc://HOST:PORT/;user_id=NAME;use_ssl=true;x-...=..., as clients of Spark Connect write it, but without a token.
struct SparkAddress {
  Channel::Server server;
  std::string user = "vernier";
  Grpc::Headers headers;  // of x-... and of VERNIER_SPARK_TOKEN
};

// By TLS to another machine, unless the catalog says plaintext = true; no token goes there without.
Result<SparkAddress> spark_address(const query::Engine& engine);

}  // namespace vernier::engine
