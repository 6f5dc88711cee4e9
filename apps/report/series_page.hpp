#pragma once

#include <string>

#include "vernier/study/series.hpp"

// The page of a step of a series: its numbers, and lines with bands of all steps so far.
namespace vernier::report {

// One HTML document: no scripts, nothing loaded from elsewhere, every name and value as text.
std::string series_page(const study::PublishedStep& published);

}  // namespace vernier::report
