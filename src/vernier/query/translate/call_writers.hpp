#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/query/translate/syntax.hpp"

// What stands for calls of other systems: one function for each, that writes the node anew; none where it is no such
// call, which then is refused under the name that it has.
namespace vernier::query {

using Operands = std::vector<Json>;
using Made = std::optional<Json>;
using Writer = Made (*)(const Json& at, Operands x);

const std::map<std::string_view, Writer>& writers_of_time();
const std::map<std::string_view, Writer>& writers_of_numbers();

std::optional<std::string> text_in(const Json& node);
// 'day', or the bare word.
std::string word_in(const Json& node);

// Short enough to be written several times.
bool is_short(const Json& node);

}  // namespace vernier::query
