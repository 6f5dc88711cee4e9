#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

// " (did you mean --density?)" where one of the known words is near the unknown one, else nothing.
std::string suggestion(std::string_view unknown, const std::vector<std::string>& known);

// Which names tables, columns and statistics may have, and when two of them are one. They are quoted wherever they
// reach an engine, so that words of SQL and quotes do no harm; what deceives the eye does.
inline constexpr std::size_t longest_name = 255;  // in bytes

// Why this cannot be a name, as the end of a sentence ("it is empty"); none where it can.
std::optional<std::string> fault_of_name(std::string_view name);

// Why this cannot be a key or a label: it is empty, is not UTF-8, or has control or invisible characters.
std::optional<std::string> fault_of_text(std::string_view text);

// The name with Latin, Greek and Cyrillic capitals made small: engines that fold case take two names for one when these
// are equal. Of UTF-8; bytes that are none stay as they are.
std::string fold_case(std::string_view name);

}  // namespace vernier
