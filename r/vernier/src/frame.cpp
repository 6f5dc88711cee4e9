#include "frame.hpp"

#include <cmath>
#include <cstring>

namespace {

// What a stream and its parts hold: the frame, and whether the one batch was given.
struct Held {
  std::shared_ptr<Frame> frame;
  bool is_given = false;
};

template <class Structure>
void let_go(Structure* structure) {
  delete static_cast<Held*>(structure->private_data);
  structure->release = nullptr;
}

// The parts of a batch belong to the frame; whoever releases one alone only says so.
template <class Structure>
void forget(Structure* structure) {
  structure->release = nullptr;
}

// Bytes that R says are of no encoding stay as they are: what stands in a row may not cause an error.
const char* utf8_of(SEXP text) { return Rf_getCharCE(text) == CE_BYTES ? CHAR(text) : Rf_translateCharUTF8(text); }

const char* no_error(ArrowArrayStream*) { return nullptr; }

}  // namespace

void Frame::mark(Column& column, std::int64_t row, bool is_there) {
  if (is_there) {
    column.valid[row / 8] |= static_cast<std::uint8_t>(1u << (row % 8));
  } else {
    ++column.nulls;
  }
}

void Frame::fill(Column& column, SEXP values, char kind) {
  column.valid.assign(rows_ / 8 + 1, 0);
  switch (kind) {
    case 'b': {
      column.format = "b";
      column.bits.assign(rows_ / 8 + 1, 0);
      const int* const given = LOGICAL(values);
      for (std::int64_t i = 0; i < rows_; ++i) {
        mark(column, i, given[i] != NA_LOGICAL);
        if (given[i] == 1) column.bits[i / 8] |= static_cast<std::uint8_t>(1u << (i % 8));
      }
      column.buffers = {column.valid.data(), column.bits.data()};
      return;
    }
    case 'i': {
      column.format = "i";
      const int* const given = INTEGER(values);
      column.narrow.assign(given, given + rows_);
      for (std::int64_t i = 0; i < rows_; ++i) mark(column, i, given[i] != NA_INTEGER);
      column.buffers = {column.valid.data(), column.narrow.data()};
      return;
    }
    case 'l': {  // integer64 lies in the bytes of doubles; its NA is the least integer
      column.format = "l";
      column.wide.resize(rows_);
      if (rows_ > 0) std::memcpy(column.wide.data(), REAL(values), rows_ * sizeof(std::int64_t));
      for (std::int64_t i = 0; i < rows_; ++i) mark(column, i, column.wide[i] != INT64_MIN);
      column.buffers = {column.valid.data(), column.wide.data()};
      return;
    }
    case 'd': {
      column.format = "tdD";
      const double* const given = REAL(values);
      column.narrow.assign(rows_, 0);
      for (std::int64_t i = 0; i < rows_; ++i) {
        const double day = std::floor(given[i]);
        const bool is_day = day >= -2147483647.0 && day <= 2147483647.0;  // of what is no number, neither holds
        mark(column, i, is_day);
        if (is_day) column.narrow[i] = static_cast<std::int32_t>(day);
      }
      column.buffers = {column.valid.data(), column.narrow.data()};
      return;
    }
    case 'g': {
      column.format = "g";
      const double* const given = REAL(values);
      column.real.assign(given, given + rows_);
      for (std::int64_t i = 0; i < rows_; ++i) mark(column, i, !std::isnan(given[i]));
      column.buffers = {column.valid.data(), column.real.data()};
      return;
    }
    default: {
      column.format = "U";
      column.wide.assign(1, 0);
      for (std::int64_t i = 0; i < rows_; ++i) {
        const SEXP text = STRING_ELT(values, i);
        mark(column, i, text != NA_STRING);
        if (text != NA_STRING) column.bytes += utf8_of(text);
        column.wide.push_back(static_cast<std::int64_t>(column.bytes.size()));
      }
      column.buffers = {column.valid.data(), column.wide.data(), column.bytes.data()};
    }
  }
}

Frame::Frame(const cpp11::strings& names, const cpp11::list& columns, const cpp11::strings& kinds, std::int64_t rows)
    : rows_(rows), columns_(columns.size()) {
  for (R_xlen_t i = 0; i < columns.size(); ++i) {
    Column& column = columns_[i];
    column.name = std::string(names[i]);
    fill(column, columns[i], std::string(kinds[i])[0]);
    column.array = {rows_,
                    column.nulls,
                    0,
                    static_cast<std::int64_t>(column.buffers.size()),
                    0,
                    column.buffers.data(),
                    nullptr,
                    nullptr,
                    forget<ArrowArray>,
                    nullptr};
    column.schema = {column.format.c_str(),
                     column.name.c_str(),
                     nullptr,
                     2 /* may be NULL */,
                     0,
                     nullptr,
                     nullptr,
                     forget<ArrowSchema>,
                     nullptr};
    arrays_.push_back(&column.array);
    schemas_.push_back(&column.schema);
  }
}

int Frame::give_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  const std::shared_ptr<Frame> frame = static_cast<Held*>(stream->private_data)->frame;
  *out = {"+s",
          "",
          nullptr,
          0,
          static_cast<std::int64_t>(frame->schemas_.size()),
          frame->schemas_.data(),
          nullptr,
          let_go<ArrowSchema>,
          new Held{frame}};
  return 0;
}

int Frame::give_next(ArrowArrayStream* stream, ArrowArray* out) {
  Held& held = *static_cast<Held*>(stream->private_data);
  if (held.is_given) {
    *out = {};
    return 0;
  }
  held.is_given = true;
  Frame& frame = *held.frame;
  *out = {frame.rows_,
          0,
          0,
          1,
          static_cast<std::int64_t>(frame.arrays_.size()),
          frame.none_,
          frame.arrays_.data(),
          nullptr,
          let_go<ArrowArray>,
          new Held{held.frame}};
  return 0;
}

ArrowArrayStream Frame::stream(std::shared_ptr<Frame> frame) {
  return {give_schema, give_next, no_error, let_go<ArrowArrayStream>, new Held{std::move(frame)}};
}
