#include "vernier/engine/parquet/schema.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace vernier::engine {
namespace {

using Kind = ThriftReader::Kind;
using Physical = ParquetPhysical;

constexpr int schema_field = 2;  // of parquet.thrift

// What the annotations of a column say.
enum class Meaning : std::uint8_t { none, text, decimal, day, time, instant, whole, half, uuid, binary, unknown };

// The members of LogicalType; those of groups say nothing about a flat column.
Meaning logical_meaning(int member) {
  constexpr std::array<Meaning, 16> meanings = {Meaning::none,    Meaning::text,    Meaning::none,  Meaning::none,
                                                Meaning::text,    Meaning::decimal, Meaning::day,   Meaning::time,
                                                Meaning::instant, Meaning::none,    Meaning::whole, Meaning::unknown,
                                                Meaning::text,    Meaning::binary,  Meaning::uuid,  Meaning::half};
  return member >= 0 && member < 16 ? meanings[static_cast<std::size_t>(member)] : Meaning::unknown;
}

// The values of ConvertedType, which older files have.
Meaning converted_meaning(std::int64_t value) {
  if (value == 0 || value == 4 || value == 19) return Meaning::text;
  if (value == 5) return Meaning::decimal;
  if (value == 6) return Meaning::day;
  if (value == 7 || value == 8) return Meaning::time;
  if (value == 9 || value == 10) return Meaning::instant;
  if (value >= 11 && value <= 18) return Meaning::whole;
  return value == -1 ? Meaning::none : Meaning::unknown;
}

Physical physical_of(const ParquetElement& element) {
  return element.physical >= 0 && element.physical < 8 ? static_cast<Physical>(element.physical) : Physical::none;
}

bool is_bytes(Physical physical) { return physical == Physical::bytes || physical == Physical::fixed_bytes; }

using Typed = std::optional<ParquetColumn>;

Typed typed(std::string type, const ParquetStorage& storage) { return ParquetColumn{"", std::move(type), storage}; }

// The annotation of integers has its width and sign; that of older files is UINT_8 (11) to UINT_64 and INT_8 to INT_64.
Typed whole(const ParquetElement& element, Physical physical) {
  const bool is_logical = element.logical != 0;
  const int bits = is_logical ? static_cast<int>(element.bits) : 8 << ((element.converted - 11) % 4);
  const bool is_signed = is_logical ? element.is_signed : element.converted >= 15;
  const bool is_narrow = bits == 8 || bits == 16 || bits == 32;
  if (physical == Physical::int32 ? !is_narrow : physical != Physical::int64 || bits != 64) return std::nullopt;
  return typed("integer", {.physical = physical, .bits = bits, .is_signed = is_signed});
}

Typed decimal(const ParquetElement& element, Physical physical) {
  const std::int64_t longest = physical == Physical::int32 ? 9 : physical == Physical::int64 ? 18 : 38;
  const bool is_stored = physical == Physical::int32 || physical == Physical::int64 || is_bytes(physical);
  if (!is_stored || element.precision < 1 || element.precision > longest) return std::nullopt;
  if (element.scale < 0 || element.scale > element.precision) return std::nullopt;
  return typed("decimal", {.physical = physical, .scale = static_cast<int>(element.scale)});
}

Typed unannotated(Physical physical) {
  switch (physical) {
    case Physical::boolean:
      return typed("boolean", {.physical = physical});
    case Physical::int32:
      return typed("integer", {.physical = physical, .bits = 32});
    case Physical::int64:
      return typed("integer", {.physical = physical, .bits = 64});
    case Physical::int96:
      return typed("timestamp", {.physical = physical});
    case Physical::float32:
    case Physical::float64:
      return typed("real", {.physical = physical});
    case Physical::bytes:
    case Physical::fixed_bytes:
      return typed("binary", {.physical = physical});
    case Physical::none:
      break;
  }
  return std::nullopt;
}

// None where the annotation does not go with how the cells are stored.
Typed typed_column(const ParquetElement& element) {
  const Physical physical = physical_of(element);
  const Meaning logical = logical_meaning(element.logical);
  const bool is_fixed = physical == Physical::fixed_bytes;
  switch (logical != Meaning::none ? logical : converted_meaning(element.converted)) {
    case Meaning::none:
      return unannotated(physical);
    case Meaning::text:
      return is_bytes(physical) ? typed("string", {.physical = physical}) : std::nullopt;
    case Meaning::decimal:
      return decimal(element, physical);
    case Meaning::day:
      return physical == Physical::int32 ? typed("date", {.physical = physical}) : std::nullopt;
    case Meaning::whole:
      return whole(element, physical);
    case Meaning::half:
      return is_fixed && element.length == 2 ? typed("real", {.physical = physical, .is_float16 = true}) : std::nullopt;
    case Meaning::uuid:
      return is_fixed && element.length == 16 ? typed("uuid", {.physical = physical}) : std::nullopt;
    case Meaning::time:
      return typed("time", {.physical = physical});
    case Meaning::instant:
      return typed("timestamp", {.physical = physical});
    case Meaning::binary:
      return typed("binary", {.physical = physical});
    case Meaning::unknown:
      break;
  }
  return std::nullopt;
}

std::vector<ParquetElement> read_schema(ThriftReader& reader) {
  int id = 0;
  for (ThriftReader::Field field = reader.field(id); field.kind != Kind::stop; field = reader.field(id)) {
    id = field.id;
    if (id == schema_field && field.kind == Kind::list) return read_elements(reader);
    reader.skip_value(field);
  }
  return {};
}

}  // namespace

std::vector<std::string> names_of(const std::vector<ParquetColumn>& columns) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const ParquetColumn& column : columns) names.push_back(column.name);
  return names;
}

ParquetColumn column_of(const ParquetElement& element) {
  ParquetColumn column = element.repetition == repeated_element
                             ? ParquetColumn{"", "list"}
                             : typed_column(element).value_or(ParquetColumn{"", "unknown"});
  column.name = element.name;
  return column;
}

Result<std::vector<ParquetColumn>> columns_in_footer(std::string_view footer) {
  ThriftReader reader(footer);
  const std::vector<ParquetElement> elements = read_schema(reader);
  if (reader.failed() || elements.empty()) return damaged_footer();
  std::vector<ParquetColumn> columns;
  for (std::size_t i = 1; i < elements.size(); i = behind(elements, i)) {
    if (!elements[i].is_group()) columns.push_back(column_of(elements[i]));
  }
  return columns;
}

Result<std::vector<std::string>> names_in_footer(std::string_view footer) {
  return columns_in_footer(footer).map(names_of);
}

Result<std::vector<ParquetColumn>> parquet_columns(const std::string& path) {
  return ParquetFile::open(path).and_then([](const ParquetFile& file) { return columns_in_footer(file.footer); });
}

Result<std::vector<std::string>> parquet_names(const std::string& path) { return parquet_columns(path).map(names_of); }

namespace {

constexpr std::int64_t longest_footer = std::int64_t{1} << 26;

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

  // As many bytes from there on as fit, all of them or none.
  bool read(std::int64_t from, char* bytes, std::size_t count) const {
    if (::lseek(number_, from, SEEK_SET) != from) return false;
    while (count > 0) {
      const ssize_t got = ::read(number_, bytes, count);
      if (got == 0 || (got < 0 && errno != EINTR)) return false;
      if (got < 0) continue;
      bytes += got;
      count -= static_cast<std::size_t>(got);
    }
    return true;
  }

 private:
  int number_;
};

Failure unreadable(const std::string& path, const std::string& reason) {
  return fail(ErrorKind::system, "the file '" + path + "' cannot be read: " + reason);
}

std::int64_t little_endian(const char* bytes) {
  std::int64_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

Failure damaged_footer() {
  return fail(ErrorKind::system, "the footer of the Parquet file is damaged", "write the file anew");
}

std::int64_t ParquetFile::data_end() const {
  return state.size - parquet_tail - static_cast<std::int64_t>(footer.size());
}

Result<ParquetFile> ParquetFile::open(const std::string& path) {
  const Descriptor file(path);
  if (file.number() < 0) return unreadable(path, std::strerror(errno));
  const std::optional<FileState> state = state_of_file(file.number());
  if (!state) return unreadable(path, std::strerror(errno));
  std::array<char, parquet_tail> tail{};
  if (state->size < 4 + parquet_tail || !file.read(state->size - parquet_tail, tail.data(), tail.size()))
    return unreadable(path, "it is too short for Parquet");
  if (std::string_view(tail.data() + 4, 4) == "PARE") return unreadable(path, "its footer is encrypted");
  if (std::string_view(tail.data() + 4, 4) != "PAR1") return unreadable(path, "it does not end as a Parquet file does");
  const std::int64_t length = little_endian(tail.data());
  if (length > state->size - 4 - parquet_tail || length > longest_footer) return damaged_footer();
  ParquetFile found{std::string(static_cast<std::size_t>(length), '\0'), *state};
  if (!file.read(found.data_end(), found.footer.data(), found.footer.size()))
    return unreadable(path, "its footer cannot be read");
  if (state_of_file(file.number()) != state) return unreadable(path, "it changed while it was read");
  return found;
}

}  // namespace vernier::engine
