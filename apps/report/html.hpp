#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vernier::report {

// HTML, built element by element. Whatever is given as text or as the value of an attribute stays text: names, labels
// and values come from catalogs and from data. Names of elements and attributes are our own.
class Html {
 public:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  void begin(std::string_view element, Attributes attributes = {});
  void end();  // of the innermost element that is open
  void text(std::string_view words);

  // An element with nothing but text in it.
  void element(std::string_view name, std::string_view words, Attributes attributes = {});

  // A name of somebody else's inside a sentence: its direction of writing stays its own.
  void name(std::string_view words) { element("bdi", words); }

  // What one of our own writers made, as a chart.
  void trusted(std::string_view markup) { body_ += markup; }

  std::string finish() &&;  // every element must have been ended

 private:
  std::string body_;
  std::vector<std::string> open_;
};

// What all pages have in common.
// Style and policy: nothing is loaded, and nothing runs.
void write_page_head(Html& html, const std::string& title);

// One of the boxes below the title.
void write_fact(Html& html, std::string_view term, const std::string& value, std::string_view meaning);

// The style of the page in light, dark and print, wide and narrow. Its classes are none of those of chart_style().
std::string_view page_style();

}  // namespace vernier::report
