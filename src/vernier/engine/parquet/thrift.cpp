#include "vernier/engine/parquet/thrift.hpp"

namespace vernier::engine {
namespace {

constexpr int greatest_depth = 32;

std::int64_t unzigzag(std::uint64_t value) { return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1)); }

}  // namespace

std::uint8_t ThriftReader::byte() {
  if (rest_.empty()) failed_ = true;
  if (failed_) return 0;
  const auto value = static_cast<std::uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  return value;
}

std::uint64_t ThriftReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t part = byte();
    value |= std::uint64_t{part & 0x7FU} << shift;
    if (part < 0x80) return failed_ ? 0 : value;
  }
  failed_ = true;
  return 0;
}

std::int64_t ThriftReader::integer() { return unzigzag(varint()); }

std::int64_t ThriftReader::number(Field field) {
  switch (field.kind) {
    case Kind::yes:
      return 1;
    case Kind::byte:
      return static_cast<std::int8_t>(byte());
    case Kind::i16:
    case Kind::i32:
    case Kind::i64:
      return integer();
    default:
      skip_value(field);
      return 0;
  }
}

ThriftReader::Field ThriftReader::field(int previous_id) {
  const std::uint8_t head = byte();
  const int step = head >> 4;
  const int kind = head & 0x0F;
  if (kind > static_cast<int>(Kind::record)) failed_ = true;
  if (failed_ || kind == 0) return {Kind::stop, 0};
  const int id = step != 0 ? previous_id + step : static_cast<int>(static_cast<std::int16_t>(integer()));
  return {static_cast<Kind>(kind), id};
}

ThriftReader::List ThriftReader::list() {
  const std::uint8_t head = byte();
  const int kind = head & 0x0F;
  const std::uint64_t size = (head >> 4) == 15 ? varint() : head >> 4;
  // Every element takes a byte at least.
  if (kind > static_cast<int>(Kind::record) || kind == 0 || size > rest_.size()) failed_ = true;
  if (failed_) return {Kind::stop, 0};
  return {static_cast<Kind>(kind), size};
}

std::string ThriftReader::binary() {
  const std::uint64_t size = varint();
  if (size > rest_.size()) failed_ = true;
  if (failed_) return {};
  std::string text(rest_.substr(0, size));
  rest_.remove_prefix(size);
  return text;
}

void ThriftReader::skip_bytes(std::uint64_t count) {
  if (count > rest_.size()) failed_ = true;
  if (!failed_) rest_.remove_prefix(count);
}

void ThriftReader::skip_record(int depth) {
  int id = 0;
  for (Field next = field(id); next.kind != Kind::stop && !failed_; next = field(id)) {
    id = next.id;
    skip_value(next, depth);
  }
}

// The kind of a truth value is its value; only in lists has it a byte of its own.
void ThriftReader::skip_value(Field field, int depth) {
  if (field.kind != Kind::yes && field.kind != Kind::no) skip(field.kind, depth);
}

void ThriftReader::skip_list(int depth) {
  const List elements = list();
  for (std::uint64_t i = 0; i < elements.size && !failed_; ++i) skip(elements.kind, depth);
}

void ThriftReader::skip_map(int depth) {
  const std::uint64_t size = varint();
  if (size == 0 || failed_) return;
  const std::uint8_t kinds = byte();
  if ((kinds >> 4) > 12 || (kinds & 0x0F) > 12 || size > rest_.size()) failed_ = true;
  for (std::uint64_t i = 0; i < size && !failed_; ++i) {
    skip(static_cast<Kind>(kinds >> 4), depth);
    skip(static_cast<Kind>(kinds & 0x0F), depth);
  }
}

void ThriftReader::skip(Kind kind, int depth) {
  if (depth > greatest_depth) failed_ = true;
  if (failed_) return;
  switch (kind) {
    case Kind::yes:
    case Kind::no:
    case Kind::byte:
      return skip_bytes(1);
    case Kind::i16:
    case Kind::i32:
    case Kind::i64:
      varint();
      return;
    case Kind::real:
      return skip_bytes(8);
    case Kind::binary:
      return skip_bytes(varint());
    case Kind::list:
    case Kind::set:
      return skip_list(depth + 1);
    case Kind::map:
      return skip_map(depth + 1);
    case Kind::record:
      return skip_record(depth + 1);
    case Kind::stop:
      failed_ = true;
  }
}

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
