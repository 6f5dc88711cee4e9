#include "vernier/engine/arrow_type.hpp"

#include <array>
#include <utility>

namespace vernier::engine {
namespace {

using Kinds = std::array<std::pair<std::string_view, ArrowKind>, 17>;

// The format strings of the specification.
constexpr Kinds kinds = {{{"n", ArrowKind::null},
                          {"b", ArrowKind::boolean},
                          {"c", ArrowKind::int8},
                          {"C", ArrowKind::uint8},
                          {"s", ArrowKind::int16},
                          {"S", ArrowKind::uint16},
                          {"i", ArrowKind::int32},
                          {"I", ArrowKind::uint32},
                          {"l", ArrowKind::int64},
                          {"L", ArrowKind::uint64},
                          {"e", ArrowKind::float16},
                          {"f", ArrowKind::float32},
                          {"g", ArrowKind::float64},
                          {"u", ArrowKind::text},
                          {"U", ArrowKind::large_text},
                          {"vu", ArrowKind::text_view},
                          {"tdD", ArrowKind::date}}};

// Of formats that no column of a catalog can hold.
std::string other_name(std::string_view format) {
  if (format == "tdm") return "a date in milliseconds";
  if (format.starts_with("ts")) return format.ends_with(':') ? "a timestamp" : "a timestamp with a time zone";
  if (format.starts_with("tt")) return "a time of day";
  if (format.starts_with("tD") || format.starts_with("ti")) return "a duration";
  if (format.starts_with("d:")) return "a decimal number";
  if (format == "z" || format == "Z" || format == "vz" || format.starts_with("w:")) return "binary";
  if (format.starts_with('+')) return "nested values";
  return "a type that is not known";
}

std::string_view name_of(ArrowKind kind) {
  if (kind == ArrowKind::null) return "null";
  if (kind == ArrowKind::boolean) return "boolean";
  if (kind == ArrowKind::date) return "date";
  if (is_index(kind)) return "integer";
  return kind <= ArrowKind::float64 ? "real" : "string";
}

}  // namespace

ArrowKind arrow_kind(std::string_view format) {
  for (const auto& [name, kind] : kinds) {
    if (name == format) return kind;
  }
  return ArrowKind::other;
}

bool is_index(ArrowKind kind) { return kind >= ArrowKind::int8 && kind <= ArrowKind::uint64; }
bool is_text(ArrowKind kind) { return kind >= ArrowKind::text && kind <= ArrowKind::text_view; }

std::string arrow_type_name(const ArrowSchema& schema) {
  const ArrowSchema& values = schema.dictionary == nullptr ? schema : *schema.dictionary;
  if (values.format == nullptr || values.dictionary != nullptr) return "a type that is not known";
  if (schema.dictionary != nullptr && !is_index(arrow_kind(schema.format))) return "a type that is not known";
  const ArrowKind kind = arrow_kind(values.format);
  return kind == ArrowKind::other ? other_name(values.format) : std::string(name_of(kind));
}

}  // namespace vernier::engine
