#pragma once

#include <filesystem>

#include "vernier/ledger/store.hpp"

namespace vernier::ledger {

// A SQLite file in WAL mode with synchronous = FULL, which many processes may share. `vfs` names another layer of files
// below SQLite, for tests of disks that fail; empty: the usual one.
Result<std::unique_ptr<Store>> open_sqlite(const std::filesystem::path& path, Missing missing,
                                           const std::string& vfs = {});

}  // namespace vernier::ledger
