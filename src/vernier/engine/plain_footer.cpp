#include "vernier/engine/plain_footer.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

#include "vernier/core/names.hpp"
#include "vernier/engine/thrift_writer.hpp"

namespace vernier::engine {
namespace {

using Field = ThriftReader::Field;
using Kind = ThriftReader::Kind;

// Of parquet.thrift.
namespace file_field {
constexpr int version = 1, schema = 2, rows = 3, groups = 4, encryption = 8;
}
namespace element_field {
constexpr int type = 1, length = 2, repetition = 3, name = 4, children = 5;
}
namespace group_field {
constexpr int columns = 1, bytes = 2, rows = 3;
}
namespace chunk_field {
constexpr int file = 1, offset = 2, data = 3, encryption = 8, encrypted = 9;
}
namespace data_field {
constexpr int type = 1, encodings = 2, path = 3, codec = 4, values = 5, uncompressed = 6, compressed = 7, page = 9,
              dictionary = 11;
}

using Number = std::optional<std::int64_t>;

// A ColumnChunk with its ColumnMetaData: where the cells of a column lie, for one group of rows.
struct Chunk {
  bool is_here = true;  // in this file, and not encrypted
  Number offset, type, codec, values, uncompressed, compressed, page, dictionary;
  std::vector<std::int64_t> encodings;
  std::vector<std::string> path;
};

struct Group {
  std::vector<Chunk> chunks;  // one per leaf of the schema
  Number bytes, rows;
};

struct Footer {
  bool is_encrypted = false;
  Number version, rows;
  std::vector<ParquetElement> elements;
  std::vector<Group> groups;
};

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
void take_number(ThriftReader& reader, Field field, Number* number) {
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

Number* number_of(Chunk& chunk, int id) {
  switch (id) {
    case data_field::type:
      return &chunk.type;
    case data_field::codec:
      return &chunk.codec;
    case data_field::values:
      return &chunk.values;
    case data_field::uncompressed:
      return &chunk.uncompressed;
    case data_field::compressed:
      return &chunk.compressed;
    case data_field::page:
      return &chunk.page;
    case data_field::dictionary:
      return &chunk.dictionary;
    default:
      return nullptr;
  }
}

void read_data(ThriftReader& reader, Chunk& chunk) {
  read_record(reader, [&](Field field) {
    if (field.id == data_field::encodings && field.kind == Kind::list)
      chunk.encodings = read_integers(reader);
    else if (field.id == data_field::path && field.kind == Kind::list)
      chunk.path = read_texts(reader);
    else
      take_number(reader, field, number_of(chunk, field.id));
  });
}

Chunk read_chunk(ThriftReader& reader) {
  Chunk chunk;
  read_record(reader, [&](Field field) {
    if (field.id == chunk_field::encryption || field.id == chunk_field::encrypted) chunk.is_here = false;
    if (field.id == chunk_field::file && field.kind == Kind::binary)
      chunk.is_here = chunk.is_here && reader.binary().empty();
    else if (field.id == chunk_field::data && field.kind == Kind::record)
      read_data(reader, chunk);
    else
      take_number(reader, field, field.id == chunk_field::offset ? &chunk.offset : nullptr);
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

Group read_group(ThriftReader& reader) {
  Group group;
  read_record(reader, [&](Field field) {
    if (field.id == group_field::columns && field.kind == Kind::list)
      group.chunks = read_records(reader, read_chunk);
    else
      take_number(reader, field,
                  field.id == group_field::bytes  ? &group.bytes
                  : field.id == group_field::rows ? &group.rows
                                                  : nullptr);
  });
  return group;
}

Footer read_footer(ThriftReader& reader) {
  Footer footer;
  read_record(reader, [&](Field field) {
    if (field.id == file_field::encryption) footer.is_encrypted = true;
    if (field.id == file_field::schema && field.kind == Kind::list)
      footer.elements = read_elements(reader);
    else if (field.id == file_field::groups && field.kind == Kind::list)
      footer.groups = read_records(reader, read_group);
    else
      take_number(reader, field,
                  field.id == file_field::version ? &footer.version
                  : field.id == file_field::rows  ? &footer.rows
                                                  : nullptr);
  });
  return footer;
}

// A column that the engine is to see, and where it stands among the leaves of the schema.
struct Kept {
  const ParquetElement* element;
  std::size_t leaf;
};

// Names that a catalog can have, and that no other column has, whatever its case: no other could be declared.
std::vector<Kept> kept_columns(const std::vector<ParquetElement>& elements) {
  std::vector<Kept> flat;
  std::map<std::string, int> names;
  std::size_t leaf = 0;
  for (std::size_t i = 1; i < elements.size();) {
    const std::size_t next = behind(elements, i);
    if (!elements[i].is_group()) flat.push_back({&elements[i], leaf});
    ++names[fold_case(elements[i].name)];
    for (; i < next; ++i) leaf += elements[i].is_group() ? 0 : 1;
  }
  std::erase_if(flat, [&](const Kept& one) {
    return !is_read(column_of(*one.element)) || fault_of_name(one.element->name) ||
           names[fold_case(one.element->name)] > 1;
  });
  return flat;
}

std::size_t leaves(const std::vector<ParquetElement>& elements) {
  return static_cast<std::size_t>(
      std::count_if(elements.begin() + 1, elements.end(), [](const ParquetElement& one) { return !one.is_group(); }));
}

bool is_in(const Number& number, std::int64_t least, std::int64_t greatest) {
  return number && *number >= least && *number <= greatest;
}

constexpr std::int64_t first_data = 4;  // behind "PAR1"
constexpr std::int64_t greatest_i32 = std::numeric_limits<std::int32_t>::max();

// Some writers say 0 where there is no dictionary.
bool has_dictionary(const Chunk& chunk) { return chunk.dictionary && *chunk.dictionary != 0; }

bool lies_within(const Chunk& chunk, std::int64_t data_end) {
  if (!is_in(chunk.page, first_data, data_end) || !is_in(chunk.compressed, 0, data_end)) return false;
  if (has_dictionary(chunk) && !is_in(chunk.dictionary, first_data, data_end)) return false;
  const std::int64_t begin = has_dictionary(chunk) ? std::min(*chunk.dictionary, *chunk.page) : *chunk.page;
  return *chunk.compressed <= data_end - begin;
}

bool is_whole(const Chunk& chunk, const ParquetElement& element, std::int64_t rows, std::int64_t data_end) {
  const auto is_small = [](std::int64_t encoding) { return encoding >= 0 && encoding <= greatest_i32; };
  return chunk.is_here && chunk.offset && chunk.type == element.physical && chunk.values == rows &&
         is_in(chunk.codec, 0, greatest_i32) && is_in(chunk.uncompressed, 0, std::numeric_limits<std::int64_t>::max()) &&
         std::all_of(chunk.encodings.begin(), chunk.encodings.end(), is_small) && lies_within(chunk, data_end);
}

bool is_whole(const Group& group, const std::vector<Kept>& kept, std::size_t count, std::int64_t data_end) {
  if (group.chunks.size() != count || !group.rows || *group.rows < 0 || !group.bytes) return false;
  return std::all_of(kept.begin(), kept.end(), [&](const Kept& one) {
    return is_whole(group.chunks[one.leaf], *one.element, *group.rows, data_end);
  });
}

bool is_whole(const Footer& footer, const std::vector<Kept>& kept, std::int64_t data_end) {
  if (!is_in(footer.version, 0, greatest_i32) || !footer.rows || *footer.rows < 0) return false;
  std::int64_t left = *footer.rows;
  const std::size_t count = leaves(footer.elements);
  for (const Group& group : footer.groups) {
    if (!is_whole(group, kept, count, data_end) || *group.rows > left) return false;
    left -= *group.rows;
  }
  return left == 0;
}

bool is_whole(const ParquetElement& element) {
  return element.length >= 0 && element.length <= greatest_i32 && element.repetition >= 0 && element.repetition <= 1;
}

void write_schema(ThriftWriter& writer, const ParquetElement& root, const std::vector<Kept>& kept) {
  writer.list(file_field::schema, Kind::record, kept.size() + 1);
  writer.element();
  writer.binary(element_field::name, root.name);
  writer.integer(element_field::children, Kind::i32, static_cast<std::int64_t>(kept.size()));
  writer.end();
  for (const Kept& one : kept) {
    const ParquetElement& element = *one.element;
    writer.element();
    writer.integer(element_field::type, Kind::i32, element.physical);
    if (element.physical == static_cast<std::int64_t>(ParquetPhysical::fixed_bytes))
      writer.integer(element_field::length, Kind::i32, element.length);
    writer.integer(element_field::repetition, Kind::i32, element.repetition);
    writer.binary(element_field::name, element.name);
    writer.end();
  }
}

void write_chunk(ThriftWriter& writer, const Chunk& chunk) {
  writer.element();
  writer.integer(chunk_field::offset, Kind::i64, *chunk.offset);
  writer.record(chunk_field::data);
  writer.integer(data_field::type, Kind::i32, *chunk.type);
  writer.list(data_field::encodings, Kind::i32, chunk.encodings.size());
  for (const std::int64_t encoding : chunk.encodings) writer.element(encoding);
  writer.list(data_field::path, Kind::binary, chunk.path.size());
  for (const std::string& part : chunk.path) writer.element(std::string_view(part));
  writer.integer(data_field::codec, Kind::i32, *chunk.codec);
  writer.integer(data_field::values, Kind::i64, *chunk.values);
  writer.integer(data_field::uncompressed, Kind::i64, *chunk.uncompressed);
  writer.integer(data_field::compressed, Kind::i64, *chunk.compressed);
  writer.integer(data_field::page, Kind::i64, *chunk.page);
  if (has_dictionary(chunk)) writer.integer(data_field::dictionary, Kind::i64, *chunk.dictionary);
  writer.end();
  writer.end();
}

std::string written(const Footer& footer, const std::vector<Kept>& kept) {
  ThriftWriter writer;
  writer.integer(file_field::version, Kind::i32, *footer.version);
  write_schema(writer, footer.elements.front(), kept);
  writer.integer(file_field::rows, Kind::i64, *footer.rows);
  writer.list(file_field::groups, Kind::record, footer.groups.size());
  for (const Group& group : footer.groups) {
    writer.element();
    writer.list(group_field::columns, Kind::record, kept.size());
    for (const Kept& one : kept) write_chunk(writer, group.chunks[one.leaf]);
    writer.integer(group_field::bytes, Kind::i64, *group.bytes);
    writer.integer(group_field::rows, Kind::i64, *group.rows);
    writer.end();
  }
  writer.end();
  return writer.bytes();
}

std::string four_bytes(std::size_t length) {
  std::string bytes;
  for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(length >> shift);
  return bytes;
}

}  // namespace

bool is_read(const ParquetColumn& column) {
  constexpr std::array<std::string_view, 7> read = {"boolean", "integer", "real", "decimal", "string", "uuid", "date"};
  return std::find(read.begin(), read.end(), column.type) != read.end();
}

Result<std::string> plain_footer(std::string_view footer, std::int64_t data_end) {
  ThriftReader reader(footer);
  const Footer read = read_footer(reader);
  if (reader.failed() || read.elements.empty()) return damaged_footer();
  if (read.is_encrypted) {
    return fail(ErrorKind::system, "the Parquet file has encrypted columns, which are not read; write it without");
  }
  const std::vector<Kept> kept = kept_columns(read.elements);
  const auto is_sound = [](const Kept& one) { return is_whole(*one.element); };
  if (!std::all_of(kept.begin(), kept.end(), is_sound) || !is_whole(read, kept, data_end)) return damaged_footer();
  std::string plain = written(read, kept);
  if (plain.size() > footer.size()) return damaged_footer();  // no writer leaves out what takes so much room
  return plain;
}

Result<std::string> plain_tail(const ParquetFile& file) {
  const Result<std::string> plain = plain_footer(file.footer, file.data_end());
  if (!plain) return Failure(plain.error());
  return std::string(file.footer.size() - plain->size(), '\0') + *plain + four_bytes(plain->size()) + "PAR1";
}

}  // namespace vernier::engine
