#include "cli/chart_json.hpp"

#include <cstdint>
#include <string_view>

#include "vernier/core/json_writer.hpp"

namespace vernier::cli {
namespace {

std::string_view text_of(plot::Stroke stroke) {
  switch (stroke) {
    case plot::Stroke::solid:
      return "solid";
    case plot::Stroke::dashed:
      return "dashed";
    case plot::Stroke::dotted:
      return "dotted";
  }
  return {};
}

template <class Item>
void write_numbers(JsonWriter& json, std::string_view name, const std::vector<Item>& items, double Item::*number) {
  json.key(name);
  json.begin_array();
  for (const Item& item : items) json.value(item.*number);
  json.end_array();
}

void write_points(JsonWriter& json, const std::vector<plot::Point>& points) {
  write_numbers(json, "x", points, &plot::Point::x);
  write_numbers(json, "y", points, &plot::Point::y);
}

void write_kind(JsonWriter& json, std::string_view kind) { json.member("kind", kind); }

void write_content(JsonWriter& json, const plot::Line& line) {
  write_kind(json, "line");
  json.member("stroke", text_of(line.stroke));
  write_points(json, line.points);
}

void write_content(JsonWriter& json, const plot::Stems& stems) {
  write_kind(json, "stems");
  write_points(json, stems.points);
}

void write_content(JsonWriter& json, const plot::Dots& dots) {
  write_kind(json, "dots");
  write_points(json, dots.points);
}

void write_content(JsonWriter& json, const plot::Bars& bars) {
  write_kind(json, "bars");
  write_numbers(json, "left", bars.bars, &plot::Bar::left);
  write_numbers(json, "right", bars.bars, &plot::Bar::right);
  write_numbers(json, "height", bars.bars, &plot::Bar::height);
}

void write_content(JsonWriter& json, const plot::Band& band) {
  write_kind(json, "band");
  write_numbers(json, "x", band.spans, &plot::Span::x);
  write_numbers(json, "low", band.spans, &plot::Span::low);
  write_numbers(json, "high", band.spans, &plot::Span::high);
}

void write_series(JsonWriter& json, const plot::Series& series) {
  std::visit(
      [&](const auto& one) {
        json.begin_object();
        json.member("name", std::string_view(one.name));
        json.member("colour", static_cast<std::int64_t>(one.colour) + 1);
        write_content(json, one);
        json.end_object();
      },
      series);
}

void write_axis(JsonWriter& json, std::string_view name, const plot::Axis& axis) {
  json.key(name);
  json.begin_object();
  json.member("title", std::string_view(axis.title));
  json.member("low", axis.low);
  json.member("high", axis.high);
  json.key("logarithmic");
  json.boolean(axis.logarithmic);
  json.end_object();
}

}  // namespace

std::string chart_json(const plot::Chart& chart) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("title", std::string_view(chart.title));
  json.member("subtitle", std::string_view(chart.subtitle));
  write_axis(json, "x", chart.x);
  write_axis(json, "y", chart.y);
  json.key("series");
  json.begin_array();
  for (const plot::Series& series : chart.series) write_series(json, series);
  json.end_array();
  json.end_object();
  return text;
}

}  // namespace vernier::cli
