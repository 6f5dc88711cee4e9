#include "vernier/engine/parquet/metadata.hpp"

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

namespace {

using Field = ThriftReader::Field;
using Kind = ThriftReader::Kind;
namespace ids = parquet_field;

template <class Take>
void read_record(ThriftReader& reader, const Take& take) {
  int id = 0;
  for (Field field = reader.field(id); field.kind != Kind::stop && !reader.failed(); field = reader.field(id)) {
    id = field.id;
    take(field);
  }
}

bool is_integer(Kind kind) { return kind == Kind::i32 || kind == Kind::i64; }

// The field as a number, where it is one of these; everything else is skipped.
void take_number(ThriftReader& reader, Field field, ParquetNumber* number) {
  if (number != nullptr && is_integer(field.kind))
    *number = reader.integer();
  else
    reader.skip_value(field);
}

std::vector<std::int64_t> read_integers(ThriftReader& reader) {
  const ThriftReader::List list = reader.list();
  std::vector<std::int64_t> all;
  if (list.kind != Kind::i32) reader.refuse();
  while (all.size() < list.size && !reader.failed()) all.push_back(reader.integer());
  return all;
}

std::vector<std::string> read_texts(ThriftReader& reader) {
  const ThriftReader::List list = reader.list();
  std::vector<std::string> all;
  if (list.kind != Kind::binary) reader.refuse();
  while (all.size() < list.size && !reader.failed()) all.push_back(reader.binary());
  return all;
}

ParquetNumber* number_of(ParquetChunk& chunk, int id) {
  switch (id) {
    case ids::data::type:
      return &chunk.type;
    case ids::data::codec:
      return &chunk.codec;
    case ids::data::values:
      return &chunk.values;
    case ids::data::uncompressed:
      return &chunk.uncompressed;
    case ids::data::compressed:
      return &chunk.compressed;
    case ids::data::page:
      return &chunk.page;
    case ids::data::dictionary:
      return &chunk.dictionary;
    default:
      return nullptr;
  }
}

void read_data(ThriftReader& reader, ParquetChunk& chunk) {
  read_record(reader, [&](Field field) {
    if (field.id == ids::data::encodings && field.kind == Kind::list)
      chunk.encodings = read_integers(reader);
    else if (field.id == ids::data::path && field.kind == Kind::list)
      chunk.path = read_texts(reader);
    else
      take_number(reader, field, number_of(chunk, field.id));
  });
}

ParquetChunk read_chunk(ThriftReader& reader) {
  ParquetChunk chunk;
  read_record(reader, [&](Field field) {
    if (field.id == ids::chunk::encryption || field.id == ids::chunk::encrypted) chunk.is_here = false;
    if (field.id == ids::chunk::file && field.kind == Kind::binary)
      chunk.is_here = chunk.is_here && reader.binary().empty();
    else if (field.id == ids::chunk::data && field.kind == Kind::record)
      read_data(reader, chunk);
    else
      take_number(reader, field, field.id == ids::chunk::offset ? &chunk.offset : nullptr);
  });
  return chunk;
}

template <class Element>
std::vector<Element> read_records(ThriftReader& reader, Element (*read)(ThriftReader&)) {
  const ThriftReader::List list = reader.list();
  std::vector<Element> all;
  if (list.kind != Kind::record) reader.refuse();
  while (all.size() < list.size && !reader.failed()) all.push_back(read(reader));
  return all;
}

ParquetGroup read_group(ThriftReader& reader) {
  ParquetGroup group;
  read_record(reader, [&](Field field) {
    if (field.id == ids::group::columns && field.kind == Kind::list)
      group.chunks = read_records(reader, read_chunk);
    else
      take_number(reader, field,
                  field.id == ids::group::bytes  ? &group.bytes
                  : field.id == ids::group::rows ? &group.rows
                                                 : nullptr);
  });
  return group;
}

}  // namespace

ParquetMetadata read_metadata(ThriftReader& reader) {
  ParquetMetadata metadata;
  read_record(reader, [&](Field field) {
    if (field.id == ids::file::encryption) metadata.is_encrypted = true;
    if (field.id == ids::file::schema && field.kind == Kind::list)
      metadata.elements = read_elements(reader);
    else if (field.id == ids::file::groups && field.kind == Kind::list)
      metadata.groups = read_records(reader, read_group);
    else
      take_number(reader, field,
                  field.id == ids::file::version ? &metadata.version
                  : field.id == ids::file::rows  ? &metadata.rows
                                                 : nullptr);
  });
  return metadata;
}

}  // namespace vernier::engine
