#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "vernier/ledger/store.hpp"

namespace vernier::testing {

// A place of its own for one ledger, where nothing lies yet; gone afterwards.
class StorePlace {
 public:
  StorePlace() = default;
  StorePlace(const StorePlace&) = delete;
  StorePlace& operator=(const StorePlace&) = delete;
  virtual ~StorePlace() = default;

  virtual Result<std::unique_ptr<ledger::Store>> open(ledger::Missing missing) const = 0;

  // Past the store: runs SQL in which $entries, $tally and $documents stand for the tables. The first value of the
  // answer; std::runtime_error where the database refuses.
  virtual std::string run(const std::string& sql) const = 0;
};

// A kind of store, for tests that hold for all of them.
struct StoreKind {
  const char* name;
  bool (*is_here)();
  std::unique_ptr<StorePlace> (*make)();

  friend void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }
};

extern const StoreKind sqlite_stores;
extern const StoreKind postgresql_stores;  // on the server of this process

}  // namespace vernier::testing
