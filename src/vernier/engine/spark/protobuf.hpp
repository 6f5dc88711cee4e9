#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Messages in the wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding), of which the
// fields are known by their numbers: what a client of Spark Connect needs of it.
namespace vernier::engine {

class ProtobufMessage {
 public:
  ProtobufMessage& text(int field, std::string_view text);
  ProtobufMessage& message(int field, const ProtobufMessage& part) { return text(field, part.bytes_); }
  ProtobufMessage& number(int field, std::uint64_t number);

  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t number);

  std::string bytes_;
};

// A field of a message: a number, or the bytes of a text or message.
struct ProtobufField {
  int field;
  std::uint64_t number;
  std::string_view bytes;
};

// All fields, in their order; none where the bytes are no message. They point into it.
std::optional<std::vector<ProtobufField>> protobuf_fields(std::string_view message);

// The last of that number, as the format has it; empty where there is none.
std::string_view bytes_at(const std::vector<ProtobufField>& fields, int field);

}  // namespace vernier::engine
