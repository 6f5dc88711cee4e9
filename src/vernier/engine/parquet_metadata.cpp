#include "vernier/engine/parquet_metadata.hpp"

namespace vernier::engine {
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
