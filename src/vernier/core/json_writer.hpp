#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace vernier {

// Writes JSON as it comes, so that ten million draws need no second copy. Numbers have 17 significant digits, which a
// general JSON library does not promise; infinities, and integers that a double cannot hold, are strings.
class JsonWriter {
 public:
  using Sink = std::function<void(std::string_view)>;
  explicit JsonWriter(Sink sink) : sink_(std::move(sink)) {}
  explicit JsonWriter(std::string& text) : sink_([&text](std::string_view more) { text += more; }) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  void value(std::string_view text);
  void value(double number);
  void value(std::int64_t number);
  void value(const std::variant<std::int64_t, double>& number);
  void boolean(bool truth);                         // of another name, since a literal text would be taken for it
  void value(const std::optional<double>& number);  // null where there is none
  void value(const std::optional<std::string_view>& text);
  void null();

  template <class Value>
  void member(std::string_view name, const Value& content) {
    key(name);
    value(content);
  }

 private:
  void open(char bracket);
  void close(char bracket);
  void separate();  // the comma before all but the first of its siblings
  void write_string(std::string_view text);
  Sink sink_;
  bool first_ = true;
};

}  // namespace vernier
