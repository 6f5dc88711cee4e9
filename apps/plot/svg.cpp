#include "plot/svg.hpp"

#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace vernier::plot {
namespace {

std::string_view name_of(Anchor anchor) {
  if (anchor == Anchor::start) return "start";
  return anchor == Anchor::middle ? "middle" : "end";
}

std::string_view entity_of(char character) {
  switch (character) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

bool is_forbidden(char character) {
  const auto code = static_cast<unsigned char>(character);
  return code < 0x20 && character != '\t' && character != '\n' && character != '\r';
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char character : text) {
    if (const std::string_view entity = entity_of(character); !entity.empty()) {
      escaped += entity;
    } else if (is_forbidden(character)) {
      escaped += "\uFFFD";
    } else {
      escaped += character;
    }
  }
  return escaped;
}

Svg::Svg(int width, int height, std::string_view name, std::string_view description, std::string_view style) {
  body_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n<style>\n{4}</style>\n",
      width, height, escape_xml(name), escape_xml(description), escape_xml(style));
}

void Svg::rectangle(std::string_view style_class, double x, double y, double width, double height) {
  fmt::format_to(std::back_inserter(body_),
                 "<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n", style_class, x,
                 y, width, height);
}

void Svg::line(std::string_view style_class, double x1, double y1, double x2, double y2) {
  fmt::format_to(std::back_inserter(body_),
                 "<line class=\"{}\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"/>\n", style_class, x1, y1,
                 x2, y2);
}

void Svg::circle(std::string_view style_class, double x, double y, double radius) {
  fmt::format_to(std::back_inserter(body_), "<circle class=\"{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\"/>\n",
                 style_class, x, y, radius);
}

void Svg::path(std::string_view style_class, std::string_view data) {
  fmt::format_to(std::back_inserter(body_), "<path class=\"{}\" d=\"{}\"/>\n", style_class, data);
}

void Svg::text(std::string_view style_class, double x, double y, Anchor anchor, std::string_view words) {
  fmt::format_to(std::back_inserter(body_),
                 "<text class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\">{}</text>\n", style_class, x, y,
                 name_of(anchor), escape_xml(words));
}

void Svg::text_upwards(std::string_view style_class, double x, double y, std::string_view words) {
  fmt::format_to(std::back_inserter(body_),
                 "<text class=\"{0}\" transform=\"translate({1:.2f} {2:.2f}) rotate(-90)\" "
                 "text-anchor=\"middle\">{3}</text>\n",
                 style_class, x, y, escape_xml(words));
}

void Svg::begin_clip(double x, double y, double width, double height) {
  fmt::format_to(std::back_inserter(body_),
                 "<svg x=\"{0:.2f}\" y=\"{1:.2f}\" width=\"{2:.2f}\" height=\"{3:.2f}\" "
                 "viewBox=\"{0:.2f} {1:.2f} {2:.2f} {3:.2f}\">\n",
                 x, y, width, height);
}

void Svg::end_clip() { body_ += "</svg>\n"; }

std::string Svg::finish() && { return std::move(body_) + "</svg>\n"; }

}  // namespace vernier::plot
