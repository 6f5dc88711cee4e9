#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vernier {

// " (did you mean --density?)" where one of the known words is near the unknown one, else nothing.
std::string suggestion(std::string_view unknown, const std::vector<std::string>& known);

}  // namespace vernier
