#pragma once

#include <string>
#include <string_view>

namespace vernier::plot {

// Text as it may stand in XML and HTML, between tags and in attributes; what cannot be seen, and bytes that are no
// UTF-8, are spelled out as `seen_lines` does it, so that nothing is left that XML forbids.
std::string escape_xml(std::string_view text);

enum class Anchor { start, middle, end };

// An SVG drawing, built element by element. Coordinates are pixels from the top left, written to a hundredth.
class Svg {
 public:
  // A file of its own. `name` and `description` are what a screen reader says; `style` is CSS.
  Svg(double width, double height, std::string_view name, std::string_view description, std::string_view style);

  // A part of a page, which has the style; no two of a page have the same id.
  struct Inside {
    std::string id;
    std::string name;
    std::string description;
  };
  Svg(double width, double height, const Inside& inside);

  void rectangle(std::string_view style_class, double x, double y, double width, double height);
  void line(std::string_view style_class, double x1, double y1, double x2, double y2);
  void circle(std::string_view style_class, double x, double y, double radius);
  void path(std::string_view style_class, std::string_view data);
  void text(std::string_view style_class, double x, double y, Anchor anchor, std::string_view words);
  void text_upwards(std::string_view style_class, double x, double y, std::string_view words);
  void begin_clip(double x, double y, double width, double height);  // what follows is cut at this frame
  void end_clip();
  void begin_shift(double x, double y);  // what follows is moved by so much
  void end_shift();

  std::string finish() &&;

 private:
  std::string body_;
};

}  // namespace vernier::plot
