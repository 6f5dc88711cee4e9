#include "vernier/engine/parquet_element.hpp"

#include <algorithm>

namespace vernier::engine {
namespace {

using Kind = ThriftReader::Kind;

// Of parquet.thrift.
constexpr int type_field = 1, length_field = 2, repetition_field = 3, name_field = 4, children_field = 5,
              converted_field = 6, scale_field = 7, precision_field = 8, logical_field = 10;
constexpr int decimal_member = 5, integer_member = 10;

// The parameters of a logical type, a record of its own: of decimals and integers they count.
void read_parameters(ThriftReader& reader, ParquetElement& element) {
  int id = 0;
  for (ThriftReader::Field field = reader.field(id); field.kind != Kind::stop; field = reader.field(id)) {
    id = field.id;
    const bool is_number = id == 1 || id == 2;
    if (element.logical == decimal_member && is_number) {
      (id == 1 ? element.scale : element.precision) = reader.number(field);
    } else if (element.logical == integer_member && id == 1) {
      element.bits = reader.number(field);
    } else if (element.logical == integer_member && id == 2) {
      element.is_signed = reader.number(field) != 0;
    } else {
      reader.skip_value(field);
    }
  }
}

void read_logical(ThriftReader& reader, ParquetElement& element) {
  int id = 0;
  for (ThriftReader::Field field = reader.field(id); field.kind != Kind::stop; field = reader.field(id)) {
    id = field.id;
    element.logical = id;
    if (field.kind == Kind::record)
      read_parameters(reader, element);
    else
      reader.skip_value(field);
  }
}

std::int64_t* number_of(ParquetElement& element, int id) {
  switch (id) {
    case type_field:
      return &element.physical;
    case length_field:
      return &element.length;
    case repetition_field:
      return &element.repetition;
    case children_field:
      return &element.children;
    case converted_field:
      return &element.converted;
    case scale_field:
      return &element.scale;
    case precision_field:
      return &element.precision;
    default:
      return nullptr;
  }
}

ParquetElement read_element(ThriftReader& reader) {
  ParquetElement element;
  int id = 0;
  for (ThriftReader::Field field = reader.field(id); field.kind != Kind::stop; field = reader.field(id)) {
    id = field.id;
    if (id == name_field && field.kind == Kind::binary) {
      element.name = reader.binary();
    } else if (std::int64_t* const number = number_of(element, id); number != nullptr && field.kind == Kind::i32) {
      *number = reader.integer();
    } else if (id == logical_field && field.kind == Kind::record) {
      read_logical(reader, element);
    } else {
      reader.skip_value(field);
    }
  }
  return element;
}

}  // namespace

std::vector<ParquetElement> read_elements(ThriftReader& reader) {
  const ThriftReader::List list = reader.list();
  std::vector<ParquetElement> elements;
  while (elements.size() < list.size && !reader.failed()) elements.push_back(read_element(reader));
  return elements;
}

std::size_t behind(const std::vector<ParquetElement>& elements, std::size_t i) {
  std::int64_t open = 1;
  for (; i < elements.size() && open > 0; ++i) open += std::max<std::int64_t>(0, elements[i].children) - 1;
  return i;
}

}  // namespace vernier::engine
