#pragma once

#include <string>
#include <string_view>

namespace vernier::cli {

// Writes YAML in blocks, two blanks a level. Texts stand in double quotes as JSON has them, which every reader of YAML
// takes for a text.
class YamlWriter {
 public:
  void begin(std::string_view key);  // of a level below
  void end() { --depth_; }
  void field(std::string_view key, std::string_view text, std::string_view remark = {});
  void number(std::string_view key, const std::string& digits);  // as a decimal that YAML 1.1 takes for a number
  void lines(std::string_view key, std::string_view text);       // several lines, each without control characters
  void remark(std::string_view text);
  void item(std::string_view text, std::string_view remark = {});  // of a list
  void first_of_item(std::string_view key, std::string_view text, std::string_view remark = {});

  const std::string& text() const { return text_; }

 private:
  void write(std::string_view start, std::string_view value, std::string_view remark);
  std::string indent() const { return std::string(2 * static_cast<std::size_t>(depth_), ' '); }
  int depth_ = 0;
  std::string text_;
};

}  // namespace vernier::cli
