#include "vernier/engine/spark/protobuf.hpp"

namespace vernier::engine {
namespace {

constexpr std::uint64_t of_varint = 0, of_64_bits = 1, of_bytes = 2, of_32_bits = 5;

// Takes a number of seven bits a byte, the least first, off the front.
std::optional<std::uint64_t> take_varint(std::string_view& rest) {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    number |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return number;
  }
  return std::nullopt;
}

std::optional<std::string_view> take_bytes(std::string_view& rest, std::uint64_t size) {
  if (size > rest.size()) return std::nullopt;
  const std::string_view bytes = rest.substr(0, static_cast<std::size_t>(size));
  rest.remove_prefix(bytes.size());
  return bytes;
}

std::optional<ProtobufField> take_field(std::string_view& rest) {
  const auto tag = take_varint(rest);
  if (!tag || *tag >> 3 == 0 || *tag >> 3 > 0x1FFFFFFF) return std::nullopt;
  ProtobufField field{static_cast<int>(*tag >> 3), 0, {}};
  const std::uint64_t kind = *tag & 7;
  if (kind == of_64_bits || kind == of_32_bits)
    return take_bytes(rest, kind == of_64_bits ? 8 : 4) ? std::optional(field) : std::nullopt;
  const auto number = kind == of_varint || kind == of_bytes ? take_varint(rest) : std::nullopt;
  if (!number) return std::nullopt;
  field.number = *number;
  if (kind == of_varint) return field;
  const auto bytes = take_bytes(rest, *number);
  if (!bytes) return std::nullopt;
  field.bytes = *bytes;
  return field;
}

}  // namespace

void ProtobufMessage::varint(std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes_ += static_cast<char>(0x80 | (number & 0x7F));
  bytes_ += static_cast<char>(number);
}

ProtobufMessage& ProtobufMessage::text(int field, std::string_view text) {
  varint(static_cast<std::uint64_t>(field) << 3 | of_bytes);
  varint(text.size());
  bytes_ += text;
  return *this;
}

ProtobufMessage& ProtobufMessage::number(int field, std::uint64_t number) {
  varint(static_cast<std::uint64_t>(field) << 3 | of_varint);
  varint(number);
  return *this;
}

std::optional<std::vector<ProtobufField>> protobuf_fields(std::string_view message) {
  std::vector<ProtobufField> fields;
  while (!message.empty()) {
    const std::optional<ProtobufField> field = take_field(message);
    if (!field) return std::nullopt;
    fields.push_back(*field);
  }
  return fields;
}

std::string_view bytes_at(const std::vector<ProtobufField>& fields, int field) {
  std::string_view found;
  for (const ProtobufField& one : fields) {
    if (one.field == field) found = one.bytes;
  }
  return found;
}

}  // namespace vernier::engine
