#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

namespace vernier::cli {

// "gaussian,scale=20,times=100" taken apart: the kind of event, and its values by key, still text.
struct EventText {
  std::string kind;
  std::map<std::string, std::string, std::less<>> values;
};

// Refuses an empty text or part, a part without a key, and a key that comes twice. Blanks around a part do not count.
Result<EventText> read_event_text(std::string_view text);

}  // namespace vernier::cli
