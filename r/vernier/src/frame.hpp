#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <cpp11.hpp>

// The structures of the Arrow C data interface, as its specification gives them.
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
}

// The columns of a data frame as Arrow has them, copied: R may move on while a release reads them. Logical, integer,
// double and character columns, and integer64 and days, which R/release.R marks; NA is NULL.
class Frame {
 public:
  // Names and columns, of one length; kinds are "b", "i", "l", "g", "u" and "d".
  Frame(const cpp11::strings& names, const cpp11::list& columns, const cpp11::strings& kinds, std::int64_t rows);

  // A stream of one batch over these columns, which keeps them alive. Whoever takes it releases it.
  static ArrowArrayStream stream(std::shared_ptr<Frame> frame);

 private:
  struct Column {
    std::string name, format;
    std::vector<std::uint8_t> valid;   // a bit for each row
    std::vector<std::uint8_t> bits;    // of logicals
    std::vector<std::int64_t> wide;    // integer64, or the offsets of texts
    std::vector<std::int32_t> narrow;  // integers and days
    std::vector<double> real;
    std::string bytes;  // of texts
    std::int64_t nulls = 0;
    std::vector<const void*> buffers;
    ArrowArray array{};
    ArrowSchema schema{};
  };

  void fill(Column& column, SEXP values, char kind);
  void mark(Column& column, std::int64_t row, bool is_there);

  std::int64_t rows_;
  std::vector<Column> columns_;
  std::vector<ArrowArray*> arrays_;
  std::vector<ArrowSchema*> schemas_;
  const void* none_[1] = {nullptr};

  static int give_schema(ArrowArrayStream* stream, ArrowSchema* out);
  static int give_next(ArrowArrayStream* stream, ArrowArray* out);
};
