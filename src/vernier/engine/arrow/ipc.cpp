#include "vernier/engine/arrow/ipc.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include "vernier/engine/arrow/flatbuffer.hpp"

namespace vernier::engine {
namespace {

constexpr std::int64_t most_rows = std::int64_t{1} << 40;

// ---- what the format calls by numbers (Message.fbs, Schema.fbs)

constexpr std::uint8_t is_schema = 1, is_rows = 3;
constexpr std::uint8_t type_integer = 2, type_real = 3, type_text = 5, type_truth = 6, type_date = 8,
                       type_long_text = 20;

// The format of the C data interface; empty where it is none that is read.
std::string format_of(std::uint8_t type, const FlatTable& details) {
  const std::int32_t bits = details.number<std::int32_t>(0, 0).value_or(0);
  const std::int16_t size = details.number<std::int16_t>(0, type == type_date ? 1 : 0).value_or(-1);
  const bool is_signed = details.number<std::uint8_t>(1, 0).value_or(0) != 0;
  if (type == type_truth) return "b";
  if (type == type_text) return "u";
  if (type == type_long_text) return "U";
  if (type == type_integer && bits == 64 && is_signed) return "l";
  if (type == type_real && size == 2) return "g";
  return type == type_date && size == 0 ? "tdD" : "";
}

struct Field {
  std::string name;
  std::string format;

  friend bool operator==(const Field&, const Field&) = default;
};

std::optional<Field> field_of(const FlatTable& told) {
  const auto type = told.number<std::uint8_t>(2, 0);
  const std::optional<FlatTable> details = told.table(3);
  if (!type || !details || told.has(4)) return std::nullopt;  // 4: values of a dictionary
  Field field{std::string(told.text(0).value_or("")), format_of(*type, *details)};
  return field.format.empty() ? std::nullopt : std::optional(std::move(field));
}

std::optional<std::vector<Field>> fields_of(const FlatTable& schema) {
  const FlatTable::Vector tables = schema.vector(1, 4).value_or(FlatTable::Vector{});
  const bool is_little_endian = schema.number<std::int16_t>(0, 0) == 0;
  if (!is_little_endian) return std::nullopt;
  std::vector<Field> fields;
  for (std::size_t i = 0; i < tables.count; ++i) {
    const std::optional<FlatTable> told = schema.table_in(tables, i);
    std::optional<Field> field = told ? field_of(*told) : std::nullopt;
    if (!field) return std::nullopt;
    fields.push_back(*std::move(field));
  }
  return fields;
}

// ---- the rows of one message

struct Column {
  std::int64_t nulls = 0;
  std::vector<const void*> buffers;
};

struct Batch {
  std::int64_t length = 0;
  std::vector<Column> columns;
};

// All that batches point to. It outlives them.
struct Rows {
  std::vector<std::string> streams;
  std::vector<Field> fields;
  std::vector<Batch> batches;
};

// Whether texts begin where the ones before end, and none beyond the bytes.
template <class Offset>
bool are_offsets(std::string_view offsets, std::int64_t length, std::size_t bytes) {
  Offset before = 0;
  for (std::int64_t i = 0; i <= length; ++i) {
    const auto next = FlatTable::read<Offset>(offsets, static_cast<std::size_t>(i) * sizeof(Offset));
    if (!next || *next < before || static_cast<std::uint64_t>(*next) > bytes) return false;
    before = *next;
  }
  return true;
}

// Takes the buffers of columns, one column after the other.
class Buffers {
 public:
  Buffers(FlatTable::Vector places, std::string_view body) : places_(places), body_(body) {}

  bool is_at_end() const { return next_ == places_.count; }

  // None where they are too short for so many values.
  std::optional<Column> take(const Field& field, std::int64_t length, std::int64_t nulls) {
    const auto validity = next(), values = next();
    if (!validity || !values || nulls < 0 || nulls > length) return std::nullopt;
    const bool says_which = !validity->empty();
    if (says_which ? !has_bits(*validity, length) : nulls > 0) return std::nullopt;
    Column column{says_which ? nulls : 0, {says_which ? validity->data() : nullptr, values->data()}};
    if (field.format == "u" || field.format == "U") return with_texts(std::move(column), *values, length, field.format);
    return is_long_enough(*values, length, field.format) ? std::optional(std::move(column)) : std::nullopt;
  }

 private:
  std::optional<std::string_view> next() {
    if (is_at_end()) return std::nullopt;
    const std::size_t at = places_.start + next_++ * places_.each;
    const auto start = FlatTable::read<std::int64_t>(places_.bytes, at);
    const auto size = FlatTable::read<std::int64_t>(places_.bytes, at + 8);
    const auto all = static_cast<std::int64_t>(body_.size());
    if (!start || !size || *start < 0 || *size < 0 || *start > all || *size > all - *start) return std::nullopt;
    return body_.substr(static_cast<std::size_t>(*start), static_cast<std::size_t>(*size));
  }

  static bool has_bits(std::string_view bytes, std::int64_t count) {
    return static_cast<std::int64_t>(bytes.size()) >= (count + 7) / 8;
  }

  static bool is_long_enough(std::string_view values, std::int64_t length, const std::string& format) {
    if (format == "b") return has_bits(values, length);
    return static_cast<std::int64_t>(values.size()) / (format == "tdD" ? 4 : 8) >= length;
  }

  std::optional<Column> with_texts(Column column, std::string_view offsets, std::int64_t length,
                                   const std::string& format) {
    const auto bytes = next();
    if (!bytes) return std::nullopt;
    column.buffers.push_back(bytes->data());
    if (length == 0) return column;
    const bool fits = format == "u" ? are_offsets<std::int32_t>(offsets, length, bytes->size())
                                    : are_offsets<std::int64_t>(offsets, length, bytes->size());
    return fits ? std::optional(std::move(column)) : std::nullopt;
  }

  FlatTable::Vector places_;
  std::string_view body_;
  std::size_t next_ = 0;
};

std::optional<Batch> batch_of(const FlatTable& told, const std::vector<Field>& fields, std::string_view body) {
  Batch batch{told.number<std::int64_t>(0, 0).value_or(-1), {}};
  const FlatTable::Vector nodes = told.vector(1, 16).value_or(FlatTable::Vector{});  // none where there is no column
  const bool is_compressed = told.has(3);
  if (is_compressed || batch.length < 0 || batch.length > most_rows || nodes.count != fields.size())
    return std::nullopt;
  Buffers buffers(told.vector(2, 16).value_or(FlatTable::Vector{}), body);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto length = FlatTable::read<std::int64_t>(nodes.bytes, nodes.start + 16 * i);
    const auto nulls = FlatTable::read<std::int64_t>(nodes.bytes, nodes.start + 16 * i + 8);
    if (length != batch.length || !nulls) return std::nullopt;
    std::optional<Column> column = buffers.take(fields[i], batch.length, *nulls);
    if (!column) return std::nullopt;
    batch.columns.push_back(*std::move(column));
  }
  return buffers.is_at_end() ? std::optional(std::move(batch)) : std::nullopt;
}

// ---- a stream: messages, each with its body

struct Message {
  FlatTable told;
  std::uint8_t kind;
  std::string_view body;
};

// Takes the next message off the stream; none at its end, and where it is broken off: then something is left.
std::optional<Message> take_message(std::string_view& stream) {
  constexpr std::uint32_t goes_on = 0xFFFFFFFF;
  const auto sign = FlatTable::read<std::uint32_t>(stream, 0);
  const auto size = FlatTable::read<std::int32_t>(stream, 4);
  if (sign != goes_on || !size || *size < 0) return std::nullopt;
  std::string_view rest = stream.substr(8);
  if (*size == 0) {
    stream = rest;
    return std::nullopt;
  }
  const auto metadata = static_cast<std::size_t>(*size);
  const auto root = metadata <= rest.size() ? FlatTable::root(rest.substr(0, metadata)) : std::nullopt;
  const auto told = root ? root->table(2) : std::nullopt;
  if (!told) return std::nullopt;
  rest.remove_prefix(metadata);
  const std::int64_t body = root->number<std::int64_t>(3, 0).value_or(-1);
  if (body < 0 || static_cast<std::uint64_t>(body) > rest.size()) return std::nullopt;
  stream = rest.substr(static_cast<std::size_t>(body));
  return Message{*told, root->number<std::uint8_t>(1, 0).value_or(0), rest.substr(0, static_cast<std::size_t>(body))};
}

bool take_stream(std::string_view stream, Rows& rows, bool is_first) {
  const std::optional<Message> schema = take_message(stream);
  std::optional<std::vector<Field>> fields =
      schema && schema->kind == is_schema ? fields_of(schema->told) : std::nullopt;
  if (!fields || (!is_first && *fields != rows.fields)) return false;
  rows.fields = *std::move(fields);
  while (const std::optional<Message> message = take_message(stream)) {
    std::optional<Batch> batch =
        message->kind == is_rows ? batch_of(message->told, rows.fields, message->body) : std::nullopt;
    if (!batch) return false;
    rows.batches.push_back(*std::move(batch));
  }
  return stream.empty();
}

// ---- as structures of the C data interface

struct OfSchema {
  std::shared_ptr<const Rows> rows;
  std::vector<ArrowSchema> columns;
  std::vector<ArrowSchema*> places;
};

struct OfBatch {
  std::shared_ptr<const Rows> rows;
  std::vector<ArrowArray> columns;
  std::vector<ArrowArray*> places;
  const void* no_buffer = nullptr;
};

// Of a column, which the structure around it holds.
template <class Structure>
void leave(Structure* column) {
  column->release = nullptr;
}

template <class Structure, class Held>
void let_go(Structure* whole) {
  delete static_cast<Held*>(whole->private_data);
  whole->release = nullptr;
}

ArrowSchema schema_of(const std::shared_ptr<const Rows>& rows) {
  auto held = std::make_unique<OfSchema>();
  held->rows = rows;
  held->columns.reserve(rows->fields.size());
  for (const Field& field : rows->fields) {
    constexpr std::int64_t may_be_null = 2;
    held->columns.push_back({field.format.c_str(), field.name.c_str(), nullptr, may_be_null, 0, nullptr, nullptr,
                             leave<ArrowSchema>, nullptr});
    held->places.push_back(&held->columns.back());
  }
  ArrowSchema schema{"+s",
                     "",
                     nullptr,
                     0,
                     static_cast<std::int64_t>(held->places.size()),
                     held->places.data(),
                     nullptr,
                     let_go<ArrowSchema, OfSchema>,
                     nullptr};
  schema.private_data = held.release();
  return schema;
}

ArrowArray array_of(const std::shared_ptr<const Rows>& rows, const Batch& batch) {
  auto held = std::make_unique<OfBatch>();
  held->rows = rows;
  held->columns.reserve(batch.columns.size());
  for (const Column& column : batch.columns) {
    auto** const buffers = const_cast<const void**>(column.buffers.data());  // as the interface has it
    held->columns.push_back({batch.length, column.nulls, 0, static_cast<std::int64_t>(column.buffers.size()), 0,
                             buffers, nullptr, nullptr, leave<ArrowArray>, nullptr});
    held->places.push_back(&held->columns.back());
  }
  ArrowArray array{batch.length,
                   0,
                   0,
                   1,
                   static_cast<std::int64_t>(held->places.size()),
                   &held->no_buffer,
                   held->places.data(),
                   nullptr,
                   let_go<ArrowArray, OfBatch>,
                   nullptr};
  array.private_data = held.release();
  return array;
}

struct Stream {
  std::shared_ptr<const Rows> rows;
  std::size_t next = 0;
};

Stream& in(ArrowArrayStream* stream) { return *static_cast<Stream*>(stream->private_data); }

int tell_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  *out = schema_of(in(stream).rows);
  return 0;
}

int tell_next(ArrowArrayStream* stream, ArrowArray* out) {
  Stream& own = in(stream);
  *out = own.next < own.rows->batches.size() ? array_of(own.rows, own.rows->batches[own.next++]) : ArrowArray{};
  return 0;
}

const char* no_error(ArrowArrayStream*) { return nullptr; }

}  // namespace

Result<std::shared_ptr<const ArrowTable>> read_ipc(std::vector<std::string> streams) {
  const auto rows = std::make_shared<Rows>();
  rows->streams = std::move(streams);
  for (std::size_t i = 0; i < rows->streams.size(); ++i) {
    if (!take_stream(rows->streams[i], *rows, i == 0)) return malformed_arrow("a stream is not as its format has it");
  }
  ArrowArrayStream stream{tell_schema, tell_next, no_error, let_go<ArrowArrayStream, Stream>, new Stream{rows}};
  return ArrowTable::take(&stream);
}

}  // namespace vernier::engine
