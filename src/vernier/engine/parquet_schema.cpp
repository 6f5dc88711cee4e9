#include "vernier/engine/parquet_schema.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "vernier/engine/thrift.hpp"

namespace vernier::engine {
namespace {

using Kind = ThriftReader::Kind;

constexpr std::int64_t longest_footer = std::int64_t{1} << 26;
// Of parquet.thrift.
constexpr int schema_field = 2;
constexpr int type_field = 1, repetition_field = 3, name_field = 4, children_field = 5, converted_field = 6,
              logical_field = 10;
constexpr std::int64_t repeated = 2;

// A SchemaElement: a column, or a group of `children` that follow it.
struct Element {
  std::string name;
  std::int64_t children = 0;
  std::int64_t physical = -1;
  std::int64_t repetition = 0;
  std::int64_t converted = -1;
  int logical = 0;  // which member of the union LogicalType there is; 0: none
};

// The number of the member of a union, which is skipped.
int read_union(ThriftReader& reader) {
  int id = 0;
  int member = 0;
  for (ThriftReader::Field field = reader.field(id); field.kind != Kind::stop; field = reader.field(id)) {
    id = field.id;
    member = id;
    reader.skip_value(field);
  }
  return member;
}

std::int64_t* number_of(Element& element, int id) {
  switch (id) {
    case type_field:
      return &element.physical;
    case repetition_field:
      return &element.repetition;
    case children_field:
      return &element.children;
    case converted_field:
      return &element.converted;
    default:
      return nullptr;
  }
}

// The members of LogicalType; "" of those that say nothing about a flat column.
std::string_view logical_type(int member) {
  constexpr std::array<std::string_view, 16> names = {"",       "string", "",          "",    "string",  "decimal",
                                                      "date",   "time",   "timestamp", "",    "integer", "unknown",
                                                      "string", "binary", "uuid",      "real"};
  return member >= 0 && member < 16 ? names[static_cast<std::size_t>(member)] : "unknown";
}

// The values of ConvertedType, which older files have.
std::string_view converted_type(std::int64_t value) {
  if (value == 0 || value == 4 || value == 19) return "string";
  if (value == 5) return "decimal";
  if (value == 6) return "date";
  if (value == 7 || value == 8) return "time";
  if (value == 9 || value == 10) return "timestamp";
  if (value >= 11 && value <= 18) return "integer";
  return value == -1 ? "" : "unknown";
}

std::string_view physical_type(std::int64_t value) {
  constexpr std::array<std::string_view, 8> names = {"boolean", "integer", "integer", "timestamp",
                                                     "real",    "real",    "binary",  "binary"};
  return value >= 0 && value < 8 ? names[static_cast<std::size_t>(value)] : "unknown";
}

std::string type_of(const Element& element) {
  if (element.repetition == repeated) return "list";
  const std::string_view logical = logical_type(element.logical);
  const std::string_view converted = converted_type(element.converted);
  return std::string(!logical.empty() ? logical : !converted.empty() ? converted : physical_type(element.physical));
}

Element read_element(ThriftReader& reader) {
  Element element;
  int id = 0;
  for (ThriftReader::Field field = reader.field(id); field.kind != Kind::stop; field = reader.field(id)) {
    id = field.id;
    if (id == name_field && field.kind == Kind::binary) {
      element.name = reader.binary();
    } else if (std::int64_t* const number = number_of(element, id); number != nullptr && field.kind == Kind::i32) {
      *number = reader.integer();
    } else if (id == logical_field && field.kind == Kind::record) {
      element.logical = read_union(reader);
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
  return fail(ErrorKind::system, "the file '" + path + "' cannot be read: " + reason);
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

std::vector<std::string> names_of(const std::vector<ParquetColumn>& columns) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const ParquetColumn& column : columns) names.push_back(column.name);
  return names;
}

Result<std::vector<ParquetColumn>> columns_in_footer(std::string_view footer) {
  ThriftReader reader(footer);
  const std::vector<Element> elements = read_schema(reader);
  if (reader.failed() || elements.empty()) return damaged();
  std::vector<ParquetColumn> columns;
  for (std::size_t i = 1; i < elements.size(); i = behind(elements, i)) {
    if (elements[i].children <= 0) columns.push_back({elements[i].name, type_of(elements[i])});
  }
  return columns;
}

Result<std::vector<std::string>> names_in_footer(std::string_view footer) {
  return columns_in_footer(footer).map(names_of);
}

Result<std::vector<ParquetColumn>> parquet_columns(const std::string& path) {
  return read_footer(path).and_then(columns_in_footer);
}

Result<std::vector<std::string>> parquet_names(const std::string& path) { return parquet_columns(path).map(names_of); }

}  // namespace vernier::engine
