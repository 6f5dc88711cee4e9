#include "vernier/engine/arrow/flatbuffer.hpp"

#include <bit>

namespace vernier::engine {

static_assert(std::endian::native == std::endian::little);

std::optional<FlatTable> FlatTable::root(std::string_view bytes) {
  const auto start = read<std::uint32_t>(bytes, 0);
  return start ? at(bytes, *start) : std::nullopt;
}

// A table begins with how far before it the list of its fields lies; that with its own size and the table's.
std::optional<FlatTable> FlatTable::at(std::string_view bytes, std::size_t start) {
  const auto back = read<std::int32_t>(bytes, start);
  if (!back) return std::nullopt;
  const std::int64_t fields = static_cast<std::int64_t>(start) - *back;
  if (fields < 0) return std::nullopt;
  const auto size = read<std::uint16_t>(bytes, static_cast<std::size_t>(fields));
  if (!size || *size < 4) return std::nullopt;
  return FlatTable(bytes, start, static_cast<std::size_t>(fields), *size);
}

std::optional<std::size_t> FlatTable::place(int field) const {
  const std::size_t entry = 4 + 2 * static_cast<std::size_t>(field);
  if (entry + 2 > size_) return std::nullopt;
  const auto offset = read<std::uint16_t>(bytes_, fields_ + entry);
  return offset && *offset != 0 ? std::optional(start_ + *offset) : std::nullopt;
}

std::optional<std::size_t> FlatTable::led_to(std::size_t at) const {
  const auto offset = read<std::uint32_t>(bytes_, at);
  return offset ? std::optional(at + *offset) : std::nullopt;
}

std::optional<FlatTable> FlatTable::table(int field) const {
  const std::optional<std::size_t> from = place(field);
  const std::optional<std::size_t> to = from ? led_to(*from) : std::nullopt;
  return to ? at(bytes_, *to) : std::nullopt;
}

std::optional<FlatTable::Vector> FlatTable::vector(int field, std::size_t each) const {
  const std::optional<std::size_t> from = place(field);
  const std::optional<std::size_t> to = from ? led_to(*from) : std::nullopt;
  const auto count = to ? read<std::uint32_t>(bytes_, *to) : std::nullopt;
  if (!count || *count > (bytes_.size() - *to - 4) / each) return std::nullopt;
  return Vector{bytes_, *to + 4, *count, each};
}

std::optional<std::string_view> FlatTable::text(int field) const {
  const std::optional<Vector> letters = vector(field, 1);
  return letters ? std::optional(bytes_.substr(letters->start, letters->count)) : std::nullopt;
}

std::optional<FlatTable> FlatTable::table_in(const Vector& tables, std::size_t i) const {
  const std::optional<std::size_t> to = led_to(tables.start + i * tables.each);
  return to ? at(bytes_, *to) : std::nullopt;
}

}  // namespace vernier::engine
