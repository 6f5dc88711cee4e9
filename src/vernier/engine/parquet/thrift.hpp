#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vernier::engine {

// Reads Thrift's compact protocol, in which Parquet writes its footer. Bytes that are none of it make `failed` true for
// good, and everything that is read then is 0 or empty; nothing is read beyond the text.
class ThriftReader {
 public:
  explicit ThriftReader(std::string_view bytes) : rest_(bytes) {}

  enum class Kind : std::uint8_t {
    stop = 0,
    yes = 1,
    no = 2,
    byte = 3,
    i16,
    i32,
    i64,
    real,
    binary,
    list,
    set,
    map,
    record
  };
  struct Field {
    Kind kind;  // stop behind the last field of a record
    int id;
  };
  struct List {
    Kind kind;
    std::uint64_t size;
  };

  Field field(int previous_id);
  List list();
  std::int64_t integer();
  std::int64_t number(Field field);  // an integer of any width, or a truth value as 0 or 1; what is neither is skipped
  std::string binary();
  void skip_value(Field field, int depth = 0);  // of a field, behind its head
  void refuse() { failed_ = true; }             // what was read is not what is looked for
  bool failed() const { return failed_; }

 private:
  std::uint8_t byte();
  std::uint64_t varint();
  void skip(Kind kind, int depth);
  void skip_bytes(std::uint64_t count);
  void skip_record(int depth);
  void skip_list(int depth);
  void skip_map(int depth);
  std::string_view rest_;
  bool failed_ = false;
};

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
