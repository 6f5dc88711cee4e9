#include <algorithm>
#include <array>

#include "vernier/engine/postgresql/connection.hpp"
#include "vernier/engine/spark/connect.hpp"
#include "vernier/engine/sql/connection.hpp"
#include "vernier/engine/trino/connection.hpp"

namespace vernier::engine {
namespace {

struct Known {
  std::string_view kind;
  Result<std::unique_ptr<Connection>> (*connect)(const query::Engine& engine);
};

// A new engine is one line here.
constexpr std::array known = {Known{"postgresql", connect_postgresql}, Known{"trino", connect_trino},
                              Known{"spark", connect_spark}};

}  // namespace

Failure refused_statement(const std::string& reason, const std::string& advice) {
  return invalid(
      "has a statement that the server of the catalog's engine does not take (" + reason + ")",
      (advice.empty() ? "ask for less in one statistic, or run it on another engine" : advice) + "; nothing was spent");
}

bool has_connection(const query::Engine& engine) {
  return !engine.address.empty() &&
         std::any_of(known.begin(), known.end(), [&](const Known& one) { return one.kind == engine.kind; });
}

Result<std::unique_ptr<Connection>> connect(const query::Engine& engine) {
  for (const Known& one : known) {
    if (one.kind == engine.kind && !engine.address.empty()) return one.connect(engine);
  }
  return invalid("this program has no connection to the engine " + engine.kind,
                 "write its address into [engine], sc://HOST:15002 of Spark Connect, or release from Python with a "
                 "session of your own, as docs/guide/engines.md shows");
}

}  // namespace vernier::engine
