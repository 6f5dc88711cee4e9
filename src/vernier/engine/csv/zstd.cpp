#include <zstd.h>

#include "vernier/engine/csv/unpacker.hpp"

namespace vernier::engine {
namespace {

struct Free {
  void operator()(ZSTD_DStream* stream) const { ::ZSTD_freeDStream(stream); }
};

class Zstd final : public Unpacker {
 public:
  std::optional<Step> step(std::span<const unsigned char> packed, std::span<unsigned char> plain) override {
    if (stream_ == nullptr) return std::nullopt;
    ZSTD_inBuffer from = {packed.data(), packed.size(), 0};
    ZSTD_outBuffer to = {plain.data(), plain.size(), 0};
    const std::size_t status = ::ZSTD_decompressStream(stream_.get(), &to, &from);
    if (::ZSTD_isError(status) != 0) return std::nullopt;
    has_ended_ = status == 0;
    return Step{from.pos, to.pos};
  }

  bool may_end() const override { return has_ended_; }

 private:
  std::unique_ptr<ZSTD_DStream, Free> stream_{::ZSTD_createDStream()};
  bool has_ended_ = false;  // a frame has, and the next has not begun
};

}  // namespace

std::unique_ptr<Unpacker> unpacker_of_zstd() { return std::make_unique<Zstd>(); }

}  // namespace vernier::engine
