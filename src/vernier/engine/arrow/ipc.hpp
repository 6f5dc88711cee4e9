#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/engine/arrow/table.hpp"

namespace vernier::engine {

// The rows of streams of Arrow's IPC format (https://arrow.apache.org/docs/format/Columnar.html), one behind the other,
// all of the same columns: truth values, integers of 64 bits, doubles, texts and days, without dictionaries and not
// compressed. All else is refused, and so is whatever is not as the format has it: each length, each place and each
// offset of a text is compared with the bytes that there are, so that nothing is read beyond them.
Result<std::shared_ptr<const ArrowTable>> read_ipc(std::vector<std::string> streams);

}  // namespace vernier::engine
