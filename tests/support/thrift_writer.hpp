#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vernier::testing {

// Writes Thrift's compact protocol, as far as Parquet needs it.
class ThriftWriter {
 public:
  const std::string& bytes() const { return bytes_; }

  ThriftWriter& boolean(int id, bool value) { return head(id, value ? 1 : 2); }
  ThriftWriter& byte(int id, std::int8_t value) { return head(id, 3).raw(std::string(1, static_cast<char>(value))); }
  ThriftWriter& i32(int id, std::int64_t value) { return head(id, 5).number(value); }
  ThriftWriter& i64(int id, std::int64_t value) { return head(id, 6).number(value); }
  ThriftWriter& binary(int id, std::string_view value) { return head(id, 8).text(value); }

  // A record as a field of this one, or as the next of a list.
  template <class Write>
  ThriftWriter& record(int id, const Write& write) {
    return head(id, 12).record(write);
  }
  template <class Write>
  ThriftWriter& record(const Write& write) {
    const int outside = last_;
    last_ = 0;
    write(*this);
    last_ = outside;
    return raw(std::string(1, '\0'));
  }

  // Heads of lists, behind which the items follow.
  ThriftWriter& numbers(int id, const std::vector<int>& items) {
    head(id, 9).list_head(items.size(), 5);
    for (const int item : items) number(item);
    return *this;
  }
  ThriftWriter& texts(int id, const std::vector<std::string>& items) {
    head(id, 9).list_head(items.size(), 8);
    for (const std::string& item : items) text(item);
    return *this;
  }
  template <class Items, class Write>
  ThriftWriter& records(int id, const Items& items, const Write& write) {
    head(id, 9).list_head(items.size(), 12);
    for (const auto& item : items) record([&](ThriftWriter& writer) { write(writer, item); });
    return *this;
  }

  ThriftWriter& varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(0x80 | (value & 0x7F));
    bytes_ += static_cast<char>(value);
    return *this;
  }

 private:
  ThriftWriter& head(int id, int type) {
    bytes_ += static_cast<char>((id - last_) << 4 | type);  // ids go up by at most 15
    last_ = id;
    return *this;
  }
  void list_head(std::size_t size, int type) {
    bytes_ += static_cast<char>((size < 15 ? size << 4 : 0xF0) | static_cast<std::size_t>(type));
    if (size >= 15) varint(size);
  }
  ThriftWriter& number(std::int64_t value) {
    return varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  ThriftWriter& text(std::string_view value) { return varint(value.size()).raw(value); }
  ThriftWriter& raw(std::string_view value) {
    bytes_ += value;
    return *this;
  }

  std::string bytes_;
  int last_ = 0;
};

}  // namespace vernier::testing
