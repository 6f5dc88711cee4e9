#include "vernier/engine/thrift_writer.hpp"

namespace vernier::engine {
namespace {

std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

}  // namespace

void ThriftWriter::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(0x80 | (value & 0x7F));
  bytes_ += static_cast<char>(value);
}

void ThriftWriter::field(int id, Kind kind) {
  bytes_ += static_cast<char>((id - ids_.back()) << 4 | static_cast<int>(kind));
  ids_.back() = id;
}

void ThriftWriter::integer(int id, Kind kind, std::int64_t value) {
  field(id, kind);
  element(value);
}

void ThriftWriter::byte(int id, std::int8_t value) {
  field(id, Kind::byte);
  bytes_ += static_cast<char>(value);
}

void ThriftWriter::boolean(int id, bool value) { field(id, value ? Kind::yes : Kind::no); }

void ThriftWriter::binary(int id, std::string_view bytes) {
  field(id, Kind::binary);
  element(bytes);
}

void ThriftWriter::list(int id, Kind kind, std::size_t size) {
  field(id, Kind::list);
  bytes_ += static_cast<char>((size < 15 ? size : 15) << 4 | static_cast<std::size_t>(kind));
  if (size >= 15) varint(size);
}

void ThriftWriter::record(int id) {
  field(id, Kind::record);
  element();
}

void ThriftWriter::element() { ids_.push_back(0); }
void ThriftWriter::element(std::int64_t value) { varint(zigzag(value)); }

void ThriftWriter::element(std::string_view bytes) {
  varint(bytes.size());
  bytes_.append(bytes);
}

void ThriftWriter::end() {
  bytes_ += '\0';
  ids_.pop_back();
}

}  // namespace vernier::engine
