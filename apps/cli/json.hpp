#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/output.hpp"

namespace vernier::cli {

// Writes JSON as it comes, so that ten million draws need no second copy. Numbers have 17 significant digits, which a
// general JSON library does not promise; infinities, and integers that a double cannot hold, are strings.
class JsonWriter {
 public:
  explicit JsonWriter(Output& output) : output_(output) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  void value(std::string_view text);
  void value(double number);
  void value(std::int64_t number);
  void value(const Number& number);
  void boolean(bool truth);                         // of another name, since a literal text would be taken for it
  void value(const std::optional<double>& number);  // null where there is none
  void value(const std::optional<std::string_view>& text);

  template <class Value>
  void member(std::string_view name, const Value& content) {
    key(name);
    value(content);
  }

 private:
  void open(char bracket);
  void close(char bracket);
  void separate();  // the comma before all but the first of its siblings
  void write_null();
  void write_string(std::string_view text);
  Output& output_;
  bool first_ = true;
};

}  // namespace vernier::cli
