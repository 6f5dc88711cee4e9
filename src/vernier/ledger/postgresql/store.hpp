#pragma once

#include <memory>
#include <string>

#include "vernier/ledger/store.hpp"

namespace vernier::ledger {

// Tables in the schema that the address names (its search_path), made where they are missing and may be.
Result<std::unique_ptr<Store>> open_postgresql(const std::string& address, Missing missing);

// What sentences call the ledger of an address: never with its password, and nothing but "postgresql://" where that
// could be anywhere in it.
std::string name_of_postgresql(const std::string& address);

}  // namespace vernier::ledger
