#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace vernier::engine {

// A table of a flatbuffer (https://flatbuffers.dev/internals), of which the fields are known by their numbers. Nothing
// is read beyond its bytes: what would lie there, or is left out, is not there.
class FlatTable {
 public:
  // Elements of one size, one behind the other.
  struct Vector {
    std::string_view bytes;
    std::size_t start = 0;
    std::size_t count = 0;
    std::size_t each = 0;
  };

  static std::optional<FlatTable> root(std::string_view bytes);

  bool has(int field) const { return place(field).has_value(); }
  std::optional<FlatTable> table(int field) const;
  std::optional<std::string_view> text(int field) const;
  std::optional<Vector> vector(int field, std::size_t each) const;
  std::optional<FlatTable> table_in(const Vector& tables, std::size_t i) const;

  // As written, or as usual where it is left out.
  template <class Number>
  std::optional<Number> number(int field, Number usual) const {
    const std::optional<std::size_t> at = place(field);
    return at ? read<Number>(bytes_, *at) : usual;
  }

  // Little-endian, as all numbers of Arrow here.
  template <class Number>
  static std::optional<Number> read(std::string_view bytes, std::size_t at) {
    if (bytes.size() < sizeof(Number) || at > bytes.size() - sizeof(Number)) return std::nullopt;
    Number number;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
  }

 private:
  FlatTable(std::string_view bytes, std::size_t start, std::size_t fields, std::size_t size)
      : bytes_(bytes), start_(start), fields_(fields), size_(size) {}

  static std::optional<FlatTable> at(std::string_view bytes, std::size_t start);
  std::optional<std::size_t> place(int field) const;        // of the field itself
  std::optional<std::size_t> led_to(std::size_t at) const;  // by the offset that stands there

  std::string_view bytes_;
  std::size_t start_;   // of the table
  std::size_t fields_;  // of the list of where its fields are
  std::size_t size_;    // of that list
};

}  // namespace vernier::engine
