#pragma once

#include <string>
#include <string_view>

namespace vernier::plot {

// Text as it may stand in XML, between tags and in attributes; characters that XML forbids become U+FFFD.
std::string escape_xml(std::string_view text);

enum class Anchor { start, middle, end };

// An SVG drawing, built element by element. Coordinates are pixels from the top left, written to a hundredth.
class Svg {
 public:
  // `name` and `description` are what a screen reader says; `style` is CSS.
  Svg(int width, int height, std::string_view name, std::string_view description, std::string_view style);

  void rectangle(std::string_view style_class, double x, double y, double width, double height);
  void line(std::string_view style_class, double x1, double y1, double x2, double y2);
  void circle(std::string_view style_class, double x, double y, double radius);
  void path(std::string_view style_class, std::string_view data);
  void text(std::string_view style_class, double x, double y, Anchor anchor, std::string_view words);
  void text_upwards(std::string_view style_class, double x, double y, std::string_view words);
  void begin_clip(double x, double y, double width, double height);  // what follows is cut at this frame
  void end_clip();

  std::string finish() &&;

 private:
  std::string body_;
};

}  // namespace vernier::plot
