#include "vernier/engine/parquet/footer.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "vernier/core/names.hpp"
#include "vernier/engine/parquet/metadata.hpp"
#include "vernier/engine/parquet/thrift.hpp"

namespace vernier::engine {
namespace {

using Kind = ThriftReader::Kind;
namespace ids = parquet_field;

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
    if (!elements[i].is_group()) {
      flat.push_back({&elements[i], leaf});
      ++names[fold_case(elements[i].name)];
    }
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

bool is_in(const ParquetNumber& number, std::int64_t least, std::int64_t greatest) {
  return number && *number >= least && *number <= greatest;
}

constexpr std::int64_t first_data = 4;  // behind "PAR1"
constexpr std::int64_t greatest_i32 = std::numeric_limits<std::int32_t>::max();

// Some writers say 0 where there is no dictionary.
bool has_dictionary(const ParquetChunk& chunk) { return chunk.dictionary && *chunk.dictionary != 0; }

bool lies_within(const ParquetChunk& chunk, std::int64_t data_end) {
  if (!is_in(chunk.page, first_data, data_end) || !is_in(chunk.compressed, 0, data_end)) return false;
  if (has_dictionary(chunk) && !is_in(chunk.dictionary, first_data, data_end)) return false;
  const std::int64_t begin = has_dictionary(chunk) ? std::min(*chunk.dictionary, *chunk.page) : *chunk.page;
  return *chunk.compressed <= data_end - begin;
}

bool is_whole(const ParquetChunk& chunk, const ParquetElement& element, std::int64_t rows, std::int64_t data_end) {
  const auto is_small = [](std::int64_t encoding) { return encoding >= 0 && encoding <= greatest_i32; };
  return chunk.is_here && chunk.offset && chunk.type == element.physical && chunk.values == rows &&
         is_in(chunk.codec, 0, greatest_i32) &&
         is_in(chunk.uncompressed, 0, std::numeric_limits<std::int64_t>::max()) &&
         std::all_of(chunk.encodings.begin(), chunk.encodings.end(), is_small) && lies_within(chunk, data_end);
}

bool is_whole(const ParquetGroup& group, const std::vector<Kept>& kept, std::size_t count, std::int64_t data_end) {
  if (group.chunks.size() != count || !group.rows || *group.rows < 0 || !group.bytes) return false;
  return std::all_of(kept.begin(), kept.end(), [&](const Kept& one) {
    return is_whole(group.chunks[one.leaf], *one.element, *group.rows, data_end);
  });
}

bool is_whole(const ParquetMetadata& footer, const std::vector<Kept>& kept, std::int64_t data_end) {
  if (!is_in(footer.version, 0, greatest_i32) || !footer.rows || *footer.rows < 0) return false;
  std::int64_t left = *footer.rows;
  const std::size_t count = leaves(footer.elements);
  for (const ParquetGroup& group : footer.groups) {
    if (!is_whole(group, kept, count, data_end) || *group.rows > left) return false;
    left -= *group.rows;
  }
  return left == 0;
}

bool is_whole(const ParquetElement& element) {
  return element.length >= 0 && element.length <= greatest_i32 && element.repetition >= 0 && element.repetition <= 1;
}

void write_schema(ThriftWriter& writer, const ParquetElement& root, const std::vector<Kept>& kept) {
  writer.list(ids::file::schema, Kind::record, kept.size() + 1);
  writer.element();
  writer.binary(ids::element::name, root.name);
  writer.integer(ids::element::children, Kind::i32, static_cast<std::int64_t>(kept.size()));
  writer.end();
  for (const Kept& one : kept) {
    const ParquetElement& element = *one.element;
    writer.element();
    writer.integer(ids::element::type, Kind::i32, element.physical);
    if (element.physical == static_cast<std::int64_t>(ParquetPhysical::fixed_bytes))
      writer.integer(ids::element::length, Kind::i32, element.length);
    writer.integer(ids::element::repetition, Kind::i32, element.repetition);
    writer.binary(ids::element::name, element.name);
    writer.end();
  }
}

void write_chunk(ThriftWriter& writer, const ParquetChunk& chunk) {
  writer.element();
  writer.integer(ids::chunk::offset, Kind::i64, *chunk.offset);
  writer.record(ids::chunk::data);
  writer.integer(ids::data::type, Kind::i32, *chunk.type);
  writer.list(ids::data::encodings, Kind::i32, chunk.encodings.size());
  for (const std::int64_t encoding : chunk.encodings) writer.element(encoding);
  writer.list(ids::data::path, Kind::binary, chunk.path.size());
  for (const std::string& part : chunk.path) writer.element(std::string_view(part));
  writer.integer(ids::data::codec, Kind::i32, *chunk.codec);
  writer.integer(ids::data::values, Kind::i64, *chunk.values);
  writer.integer(ids::data::uncompressed, Kind::i64, *chunk.uncompressed);
  writer.integer(ids::data::compressed, Kind::i64, *chunk.compressed);
  writer.integer(ids::data::page, Kind::i64, *chunk.page);
  if (has_dictionary(chunk)) writer.integer(ids::data::dictionary, Kind::i64, *chunk.dictionary);
  writer.end();
  writer.end();
}

std::string written(const ParquetMetadata& footer, const std::vector<Kept>& kept) {
  ThriftWriter writer;
  writer.integer(ids::file::version, Kind::i32, *footer.version);
  write_schema(writer, footer.elements.front(), kept);
  writer.integer(ids::file::rows, Kind::i64, *footer.rows);
  writer.list(ids::file::groups, Kind::record, footer.groups.size());
  for (const ParquetGroup& group : footer.groups) {
    writer.element();
    writer.list(ids::group::columns, Kind::record, kept.size());
    for (const Kept& one : kept) write_chunk(writer, group.chunks[one.leaf]);
    writer.integer(ids::group::bytes, Kind::i64, *group.bytes);
    writer.integer(ids::group::rows, Kind::i64, *group.rows);
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
  const ParquetMetadata read = read_metadata(reader);
  if (reader.failed() || read.elements.empty()) return damaged_footer();
  if (read.is_encrypted) {
    return fail(ErrorKind::system, "the Parquet file has encrypted columns, which are not read", "write it without");
  }
  const std::vector<Kept> kept = kept_columns(read.elements);
  const auto is_sound = [](const Kept& one) { return is_whole(*one.element); };
  if (!std::all_of(kept.begin(), kept.end(), is_sound) || !is_whole(read, kept, data_end)) return damaged_footer();
  std::string plain = written(read, kept);
  if (plain.size() > footer.size()) return damaged_footer();  // no writer leaves out what takes so much room
  return plain;
}

Result<std::string> plain_tail(const ParquetFile& file) {
  VERNIER_TRY(const std::string plain, plain_footer(file.footer, file.data_end()));
  return std::string(file.footer.size() - plain.size(), '\0') + plain + four_bytes(plain.size()) + "PAR1";
}

}  // namespace vernier::engine
