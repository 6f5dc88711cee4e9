#include "report/html.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include <fmt/format.h>

#include "plot/style.hpp"
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

// Every colour of text has a contrast of at least 4.5 to what it stands on, in light and in dark.
std::string_view page_style() {
  return R"(:root { --ink: #1f2733; --soft: #52606f; --line: #dfe4ea; --paper: #ffffff; --card: #f5f7fa; --accent: #175a96; --share: #a9cdec }
@media (prefers-color-scheme: dark) {
:root { --ink: #e8ebef; --soft: #a9b4c1; --line: #2b3440; --paper: #151a21; --card: #1c232c; --accent: #8cc4f7; --share: #2c5a85 }
}
* { box-sizing: border-box }
html { color-scheme: light dark; -webkit-text-size-adjust: 100% }
body { margin: 0 auto; padding: 2.5rem 1.5rem 3rem; max-width: 928px; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .75rem; letter-spacing: -.01em }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 .5rem }
h3 { font-size: 1rem; line-height: 1.4; margin: 1.5rem 0 .5rem }
p, ul, dl { margin: 0 0 .9rem }
ul { padding-left: 1.2rem }
li { margin: .2rem 0 }
a { color: var(--accent) }
a:focus-visible, .sideways:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
section { margin-top: 2.75rem; padding-top: 1.75rem; border-top: 1px solid var(--line) }
.kicker { color: var(--soft); font-size: .92rem; margin: 0 0 .25rem }
.lede { font-size: 1.1rem; max-width: 44rem }
.quiet { color: var(--soft); font-size: .92rem }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: .75rem; margin: 1.5rem 0 }
.facts > div { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .8rem 1rem }
.facts dt { color: var(--soft); font-size: .85rem }
.facts dd { margin: 0; font-size: 1.3rem; font-weight: 600; line-height: 1.35 }
.facts dd span { display: block; font-size: .85rem; font-weight: 400; color: var(--soft); line-height: 1.4 }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .35rem 1.25rem }
nav li { margin: 0 }
code { font: .88em/1.5 ui-monospace, "DejaVu Sans Mono", monospace }
.statement { display: block; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem;
  margin: 0 0 1rem; white-space: pre-wrap }
figure { margin: 1.25rem 0 }
figcaption { font-weight: 600; margin-bottom: .35rem }
figcaption span { display: block; font-weight: 400; color: var(--soft); font-size: .92rem }
.chart { display: block; width: 100%; height: auto }
.on-narrow { display: none }
.sideways { overflow-x: auto; margin: 0 0 .9rem; border: 1px solid var(--line); border-radius: 10px }
table { border-collapse: collapse; width: 100%; font-size: .95rem; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .85rem; text-align: left; vertical-align: top; overflow-wrap: break-word; unicode-bidi: isolate }
thead th { background: var(--card); font-size: .87rem; color: var(--soft); font-weight: 600; vertical-align: bottom }
tbody tr { border-top: 1px solid var(--line) }
tbody th { font-weight: 400; min-width: 7rem; max-width: 24rem }
.number { text-align: right; white-space: nowrap }
.margin { padding-left: 0; white-space: nowrap; color: var(--soft) }
.whole { white-space: nowrap }
.remark { display: block; font-size: .85rem; color: var(--soft) }
.share { width: 32% }
.share span { display: block; height: .8rem; margin-top: .35rem; min-width: 2px; border-radius: 3px; background: var(--share) }
.heat { text-align: right; white-space: nowrap; background: color-mix(in srgb, var(--share) calc(var(--h, 0) * 1%), transparent) }
.nought { color: var(--soft); background: color-mix(in srgb, var(--soft) 12%, var(--paper)) }
footer { margin-top: 2.75rem; padding-top: 1.5rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .88rem }
@media (max-width: 640px) {
body { padding: 1.25rem 1rem 2rem; font-size: 15px }
h1 { font-size: 1.55rem }
section { margin-top: 2rem; padding-top: 1.25rem }
.facts { grid-template-columns: 1fr 1fr; gap: .5rem }
.facts > div { padding: .6rem .7rem }
.facts dd { font-size: 1.1rem }
.on-wide { display: none }
.on-narrow { display: block }
table { font-size: .9rem }
th, td { padding: .3rem .5rem }
tbody th { min-width: 4.5rem; max-width: 11rem }
}
@media print {
:root { --ink: #000000; --soft: #3d4650; --line: #c8ced5; --paper: #ffffff; --card: #ffffff; --accent: #000000; --share: #a9cdec }
body { max-width: none; padding: 0; font-size: 10.5pt }
nav { display: none }
.on-wide { display: block }
.on-narrow { display: none }
.sideways { overflow: visible; border-radius: 0 }
.facts { grid-template-columns: repeat(4, 1fr) }
table, thead th { font-size: 8.5pt }
th, td { padding: .2rem .4rem; overflow-wrap: anywhere }
thead th { overflow-wrap: break-word }
.number, .margin, .whole { white-space: normal }
tbody th { min-width: 0 }
figure, .facts, tr, .statement { break-inside: avoid }
h2, h3, figcaption { break-after: avoid }
section { margin-top: 1.5rem }
* { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
)";
}

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
