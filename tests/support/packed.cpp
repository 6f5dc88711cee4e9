#include "support/packed.hpp"

#include <stdexcept>

#include <zlib.h>
#include <zstd.h>

namespace vernier::testing {

std::string gzip(std::string_view text) {
  z_stream stream = {};
  constexpr int as_gzip = 16 + MAX_WBITS, usual_memory = 8;
  if (::deflateInit2(&stream, 6, Z_DEFLATED, as_gzip, usual_memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib cannot begin");
  std::string packed(::deflateBound(&stream, text.size()) + 32, '\0');
  std::string from(text);
  stream.next_in = reinterpret_cast<unsigned char*>(from.data());
  stream.avail_in = static_cast<unsigned>(from.size());
  stream.next_out = reinterpret_cast<unsigned char*>(packed.data());
  stream.avail_out = static_cast<unsigned>(packed.size());
  const int status = ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("zlib cannot pack");
  return packed;
}

std::string zstd(std::string_view text) {
  ZSTD_CCtx* const context = ::ZSTD_createCCtx();
  ::ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string packed(::ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ::ZSTD_compress2(context, packed.data(), packed.size(), text.data(), text.size());
  ::ZSTD_freeCCtx(context);
  if (::ZSTD_isError(size) != 0) throw std::runtime_error("Zstandard cannot pack");
  packed.resize(size);
  return packed;
}

}  // namespace vernier::testing
