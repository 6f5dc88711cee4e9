#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/engine/thrift.hpp"

namespace vernier::engine {

// Writes Thrift's compact protocol in its shortest form. Fields are written by ascending ids, none further than 15 from
// the one before; a record ends with `end`.
class ThriftWriter {
 public:
  using Kind = ThriftReader::Kind;

  void integer(int id, Kind kind, std::int64_t value);  // i32 or i64
  void byte(int id, std::int8_t value);
  void boolean(int id, bool value);
  void binary(int id, std::string_view bytes);
  void list(int id, Kind kind, std::size_t size);  // its elements follow
  void record(int id);                             // its fields follow

  void element();  // of a list, a record: its fields follow
  void element(std::int64_t value);
  void element(std::string_view bytes);
  void end();

  const std::string& bytes() const { return bytes_; }

 private:
  void field(int id, Kind kind);
  void varint(std::uint64_t value);
  std::string bytes_;
  std::vector<int> ids_ = {0};  // the last one written, of every record that is open
};

}  // namespace vernier::engine
