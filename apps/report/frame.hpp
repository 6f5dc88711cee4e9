#pragma once

#include <string>
#include <string_view>

#include "report/html.hpp"

// What all pages have in common.
namespace vernier::report {

// Style and policy: nothing is loaded, and nothing runs.
void write_page_head(Html& html, const std::string& title);

// One of the boxes below the title.
void write_fact(Html& html, std::string_view term, const std::string& value, std::string_view meaning);

}  // namespace vernier::report
