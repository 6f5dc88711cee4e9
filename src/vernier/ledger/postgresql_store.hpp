#pragma once

#include <string>

#include "vernier/ledger/store.hpp"

namespace vernier::ledger {

// Tables in the schema that the address names (its search_path), made where they are missing and may be.
Result<std::unique_ptr<Store>> open_postgresql(const std::string& address, Missing missing);

namespace postgresql {

// What a ledger is called: its address with user, host, port, database and search_path, and nothing else of it. An
// error for an address that cannot be read, or from which a part of a password would come to light.
Result<std::string> name_of_address(const std::string& address);

}  // namespace postgresql
}  // namespace vernier::ledger
