#include "cli/parquet_schema.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "cli/thrift.hpp"

namespace vernier::cli {
namespace {

using Kind = ThriftReader::Kind;

constexpr std::int64_t longest_footer = std::int64_t{1} << 26;
constexpr int schema_field = 2, name_field = 4, children_field = 5;  // of parquet.thrift

// A SchemaElement: a column, or a group of `children` that follow it.
struct Element {
  std::string name;
  std::int64_t children = 0;
};

Element read_element(ThriftReader& reader) {
  Element element;
  int id = 0;
  for (ThriftReader::Field field = reader.field(id); field.kind != Kind::stop; field = reader.field(id)) {
    id = field.id;
    if (id == name_field && field.kind == Kind::binary) {
      element.name = reader.binary();
    } else if (id == children_field && field.kind == Kind::i32) {
      element.children = reader.integer();
    } else {
      reader.skip_value(field);
    }
  }
  return element;
}

std::vector<Element> read_schema(ThriftReader& reader) {
  int id = 0;
  for (ThriftReader::Field field = reader.field(id); field.kind != Kind::stop; field = reader.field(id)) {
    id = field.id;
    if (id == schema_field && field.kind == Kind::list) {
      const ThriftReader::List list = reader.list();
      std::vector<Element> elements;
      while (elements.size() < list.size && !reader.failed()) elements.push_back(read_element(reader));
      return elements;
    }
    reader.skip_value(field);
  }
  return {};
}

// Where the element behind this one and all that is within it stands.
std::size_t behind(const std::vector<Element>& elements, std::size_t i) {
  std::int64_t open = 1;
  for (; i < elements.size() && open > 0; ++i) open += std::max<std::int64_t>(0, elements[i].children) - 1;
  return i;
}

Failure damaged() { return fail(ErrorKind::system, "the footer of the Parquet file is damaged; write the file anew"); }

Failure unreadable(const std::string& path, const std::string& reason) {
  return fail(ErrorKind::system, fmt::format("the file '{}' cannot be read: {}", path, reason));
}

std::int64_t little_endian(const char* bytes) {
  std::int64_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

Result<std::string> read_footer(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return unreadable(path, errno != 0 ? std::strerror(errno) : "it could not be opened");
  const std::int64_t size = file.tellg();
  std::array<char, 8> tail{};
  if (size < 12 || !file.seekg(-8, std::ios::end).read(tail.data(), tail.size()))
    return unreadable(path, "it is too short for Parquet");
  if (std::string_view(tail.data() + 4, 4) == "PARE") return unreadable(path, "its footer is encrypted");
  if (std::string_view(tail.data() + 4, 4) != "PAR1") return unreadable(path, "it does not end as a Parquet file does");
  const std::int64_t length = little_endian(tail.data());
  if (length > size - 12 || length > longest_footer) return damaged();
  std::string footer(static_cast<std::size_t>(length), '\0');
  if (!file.seekg(-8 - length, std::ios::end).read(footer.data(), length))
    return unreadable(path, "its footer cannot be read");
  return footer;
}

}  // namespace

Result<std::vector<std::string>> names_in_footer(std::string_view footer) {
  ThriftReader reader(footer);
  const std::vector<Element> elements = read_schema(reader);
  if (reader.failed() || elements.empty()) return damaged();
  std::vector<std::string> names;
  for (std::size_t i = 1; i < elements.size(); i = behind(elements, i)) {
    if (elements[i].children <= 0) names.push_back(elements[i].name);
  }
  return names;
}

Result<std::vector<std::string>> parquet_names(const std::string& path) {
  return read_footer(path).and_then(names_in_footer);
}

}  // namespace vernier::cli
