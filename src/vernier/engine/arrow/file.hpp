#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/engine/arrow/table.hpp"

namespace vernier::engine {

// As ArrowTable::take(), of a stream that is read for it, batch by batch, into a file without a name, which is mapped:
// of its rows memory has to hold one batch at a time. The columns of other names, in any case, have no values then.
Result<std::shared_ptr<const ArrowTable>> take_to_file(ArrowArrayStream* stream, const std::vector<std::string>& names);

}  // namespace vernier::engine
