#pragma once

#include <string>
#include <string_view>

// What people write who come from another database, told from the words alone.
namespace vernier::query {

// What to write instead in a statement that no parser can read; empty where nothing is known of it.
std::string hint_of(std::string_view sql);

// Whether the name stands anywhere in the statement as a word, whatever its case.
bool has_word(std::string_view sql, std::string_view name);

}  // namespace vernier::query
