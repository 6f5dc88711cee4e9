#include "report/html.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "plot/svg.hpp"

namespace vernier::report {
namespace {

// After these a line ends, so that the page can be read as a text too.
bool is_block(std::string_view element) {
  constexpr std::array<std::string_view, 9> inside = {"bdi", "code", "span", "strong", "em", "a", "th", "td", "title"};
  return std::find(inside.begin(), inside.end(), element) == inside.end();
}

}  // namespace

void Html::begin(std::string_view element, Attributes attributes) {
  body_.append("<").append(element);
  for (const auto& [name, value] : attributes) {
    body_.append(" ").append(name).append("=\"").append(plot::escape_xml(value)).append("\"");
  }
  body_.append(">");
  open_.emplace_back(element);
}

void Html::end() {
  assert(!open_.empty());
  body_.append("</").append(open_.back()).append(is_block(open_.back()) ? ">\n" : ">");
  open_.pop_back();
}

void Html::text(std::string_view words) { body_ += plot::escape_xml(words); }

void Html::element(std::string_view name, std::string_view words, Attributes attributes) {
  begin(name, attributes);
  text(words);
  end();
}

std::string Html::finish() && {
  assert(open_.empty());
  return std::move(body_);
}

}  // namespace vernier::report
