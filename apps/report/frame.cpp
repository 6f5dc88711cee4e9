#include "report/frame.hpp"

#include <fmt/format.h>

#include "plot/chart_style.hpp"
#include "report/page_style.hpp"

namespace vernier::report {
namespace {

// Even if something of a hostile name became markup, it could load and run nothing.
constexpr std::string_view policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

}  // namespace

void write_page_head(Html& html, const std::string& title) {
  html.begin("head");
  html.trusted("<meta charset=\"utf-8\">\n");
  html.trusted("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  html.trusted(fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy));
  html.trusted("<meta name=\"color-scheme\" content=\"light dark\">\n");
  html.element("title", title);
  html.trusted(fmt::format("\n<style>\n{}{}</style>\n", page_style(), plot::chart_style()));
  html.end();
}

void write_fact(Html& html, std::string_view term, const std::string& value, std::string_view meaning) {
  html.begin("div");
  html.element("dt", term);
  html.begin("dd");
  html.name(value);
  html.element("span", meaning);
  html.end();
  html.end();
}

}  // namespace vernier::report
