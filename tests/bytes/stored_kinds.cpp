#include "bytes/stored_kinds.hpp"

#include <cmath>
#include <limits>

namespace vernier::bytes {
namespace {

using query::Type;
using testing::ParquetKind;
using enum testing::ParquetPhysical;
using Converted = testing::ParquetConverted;
using Logical = testing::ParquetLogical;

template <class Number>
std::string stored(Number value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

StoredKind decimal(const std::string& name, testing::ParquetPhysical physical, int length, int precision) {
  return {{.name = name,
           .physical = physical,
           .converted = Converted::decimal,
           .logical = Logical::decimal,
           .length = length,
           .scale = 1,
           .precision = precision},
          Type::real,
          true};
}

bool is_text(const ParquetKind& kind) {
  return kind.converted == Converted::utf8 || kind.converted == Converted::as_enum || kind.logical == Logical::string ||
         kind.logical == Logical::as_enum;
}

bool is_json(const ParquetKind& kind) { return kind.converted == Converted::json || kind.logical == Logical::json; }
bool is_date(const ParquetKind& kind) { return kind.converted == Converted::date || kind.logical == Logical::date; }

std::size_t width_of(const ParquetKind& kind) {
  switch (kind.physical) {
    case boolean:
      return 1;
    case int32:
    case real32:
      return 4;
    case int96:
      return 12;
    case fixed:
      return static_cast<std::size_t>(kind.length);
    default:
      return 8;
  }
}

std::string clean_bytes(Draw& draw, const ParquetKind& kind) {
  if (is_text(kind)) return draw.one_of<std::string>({"a", "north", "12", "süd", "unit 5"});
  if (is_json(kind)) return draw.one_of<std::string>({"{\"a\": 1}", "12", "\"north\"", "[]"});
  if (kind.precision > 0) return std::string(3, '\0') + static_cast<char>(draw.below(100));
  return draw.one_of<std::string>({"a", "north", "12"});
}

// The ends of numbers, what is beyond the annotated width, and any bits.
std::string odd_number(Draw& draw, const ParquetKind& kind) {
  const std::size_t width = width_of(kind);
  switch (draw.below(6)) {
    case 0:
      return std::string(width, '\xFF');
    case 1:
      return std::string(width - 1, '\0') + '\x80';  // the least
    case 2:
      return std::string(width - 1, '\xFF') + '\x7F';  // the greatest; of reals NaN
    case 3:
      return width < 4 ? std::string(width, '\x7C') : std::string("\x2C\x01", 2) + std::string(width - 2, '\0');  // 300
    case 4:
      if (kind.physical == real64) return stored(draw.one_in(2) ? -HUGE_VAL : std::nan("7"));
      if (kind.physical == real32) return stored(draw.one_in(2) ? HUGE_VALF : std::nanf("7"));
      [[fallthrough]];
    default: {
      std::string bits(width, '\0');
      for (char& byte : bits) byte = static_cast<char>(draw.below(256));
      return bits;
    }
  }
}

}  // namespace

const std::vector<StoredKind>& stored_kinds() {
  static const std::vector<StoredKind> kinds = {
      {{.name = "BOOLEAN", .physical = boolean}, Type::boolean, true},
      {{.name = "INT32", .physical = int32}, Type::integer, true},
      {{.name = "INT32 INT_8", .physical = int32, .converted = Converted::int8}, Type::integer, true},
      {{.name = "INT32 INT_16", .physical = int32, .converted = Converted::int16}, Type::integer, true},
      {{.name = "INT32 INT_32", .physical = int32, .converted = Converted::int32}, Type::integer, true},
      {{.name = "INT32 UINT_8", .physical = int32, .converted = Converted::uint8}, Type::integer, true},
      {{.name = "INT32 UINT_16", .physical = int32, .converted = Converted::uint16}, Type::integer, true},
      {{.name = "INT32 UINT_32", .physical = int32, .converted = Converted::uint32}, Type::integer, true},
      {{.name = "INT32 INTEGER(8, signed)", .physical = int32, .logical = Logical::integer, .detail = 8},
       Type::integer,
       true},
      {{.name = "INT32 INTEGER(16, unsigned)", .physical = int32, .logical = Logical::integer, .detail = -16},
       Type::integer,
       true},
      {{.name = "INT32 INTEGER(32, unsigned)", .physical = int32, .logical = Logical::integer, .detail = -32},
       Type::real,
       true},
      {{.name = "INT32 DATE", .physical = int32, .converted = Converted::date}, Type::date, true},
      {{.name = "INT32 logical DATE", .physical = int32, .logical = Logical::date}, Type::date, true},
      {{.name = "INT32 TIME_MILLIS", .physical = int32, .converted = Converted::time_millis}, Type::integer, false},
      decimal("INT32 DECIMAL", int32, 0, 7),
      {{.name = "INT64", .physical = int64}, Type::integer, true},
      {{.name = "INT64 INT_64", .physical = int64, .converted = Converted::int64}, Type::real, true},
      {{.name = "INT64 UINT_64", .physical = int64, .converted = Converted::uint64}, Type::integer, true},
      {{.name = "INT64 INTEGER(64, unsigned)", .physical = int64, .logical = Logical::integer, .detail = -64},
       Type::real,
       true},
      {{.name = "INT64 TIME_MICROS", .physical = int64, .converted = Converted::time_micros}, Type::integer, false},
      {{.name = "INT64 TIME(ns)", .physical = int64, .logical = Logical::time, .detail = 3}, Type::integer, false},
      {{.name = "INT64 TIMESTAMP_MILLIS", .physical = int64, .converted = Converted::timestamp_millis},
       Type::date,
       false},
      {{.name = "INT64 TIMESTAMP_MICROS", .physical = int64, .converted = Converted::timestamp_micros},
       Type::date,
       false},
      {{.name = "INT64 TIMESTAMP(ns)", .physical = int64, .logical = Logical::timestamp, .detail = 3},
       Type::date,
       false},
      decimal("INT64 DECIMAL", int64, 0, 16),
      {{.name = "INT96", .physical = int96}, Type::date, false},
      {{.name = "FLOAT", .physical = real32}, Type::real, true},
      {{.name = "DOUBLE", .physical = real64}, Type::real, true},
      {{.name = "BYTE_ARRAY", .physical = bytes}, Type::string, false},
      {{.name = "BYTE_ARRAY UTF8", .physical = bytes, .converted = Converted::utf8}, Type::string, true},
      {{.name = "BYTE_ARRAY STRING", .physical = bytes, .logical = Logical::string}, Type::string, true},
      {{.name = "BYTE_ARRAY ENUM", .physical = bytes, .converted = Converted::as_enum}, Type::string, true},
      {{.name = "BYTE_ARRAY logical ENUM", .physical = bytes, .logical = Logical::as_enum}, Type::string, true},
      {{.name = "BYTE_ARRAY JSON", .physical = bytes, .converted = Converted::json}, Type::string, true},
      {{.name = "BYTE_ARRAY logical JSON", .physical = bytes, .logical = Logical::json}, Type::string, true},
      {{.name = "BYTE_ARRAY BSON", .physical = bytes, .converted = Converted::bson}, Type::string, false},
      {{.name = "BYTE_ARRAY logical BSON", .physical = bytes, .logical = Logical::bson}, Type::string, false},
      decimal("BYTE_ARRAY DECIMAL", bytes, 0, 30),
      {{.name = "FIXED_LEN_BYTE_ARRAY", .physical = fixed, .length = 6}, Type::string, false},
      decimal("FIXED_LEN_BYTE_ARRAY DECIMAL", fixed, 9, 20),
      decimal("FIXED_LEN_BYTE_ARRAY(16) DECIMAL", fixed, 16, 38),
      {{.name = "UUID", .physical = fixed, .logical = Logical::uuid, .length = 16}, Type::string, true},
      {{.name = "FLOAT16", .physical = fixed, .logical = Logical::float16, .length = 2}, Type::real, true},
      {{.name = "INTERVAL", .physical = fixed, .converted = Converted::interval, .length = 12}, Type::string, false},
      {{.name = "INT32 UNKNOWN", .physical = int32, .logical = Logical::unknown}, Type::integer, false},
      {{.name = "BYTE_ARRAY UNKNOWN", .physical = bytes, .logical = Logical::unknown}, Type::string, false},
  };
  return kinds;
}

std::string clean_value(Draw& draw, const ParquetKind& kind) {
  const auto small = static_cast<std::int32_t>(draw.below(15)) + (is_date(kind) ? 10'400 : 0);
  switch (kind.physical) {
    case boolean:
      return std::string(1, static_cast<char>(draw.below(2)));
    case int32:
      return stored(small);
    case int64:
      return stored(std::int64_t{small});
    case real32:
      return stored(0.25F * static_cast<float>(small));
    case real64:
      return stored(0.25 * small);
    case testing::ParquetPhysical::bytes:
      return clean_bytes(draw, kind);
    default:
      return std::string(width_of(kind) - 1, '\0') + static_cast<char>(small);
  }
}

std::string odd_value(Draw& draw, const ParquetKind& kind, Oddity oddity) {
  if (kind.physical == boolean) return std::string(1, static_cast<char>(draw.below(2)));
  if (kind.physical != testing::ParquetPhysical::bytes) return odd_number(draw, kind);
  if (kind.precision > 0 && draw.one_in(2)) return std::string(draw.below(40), static_cast<char>(draw.below(256)));
  return odd_bytes(draw, oddity);
}

}  // namespace vernier::bytes
