#include <zlib.h>

#include "vernier/engine/csv/unpacker.hpp"

namespace vernier::engine {
namespace {

class Gzip final : public Unpacker {
 public:
  Gzip() { is_ready_ = ::inflateInit2(&stream_, 16 + MAX_WBITS) == Z_OK; }
  ~Gzip() override {
    if (is_ready_) ::inflateEnd(&stream_);
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  std::optional<Step> step(std::span<const unsigned char> packed, std::span<unsigned char> plain) override {
    if (!is_ready_ || (has_ended_ && ::inflateReset(&stream_) != Z_OK)) return std::nullopt;
    stream_.next_in = const_cast<unsigned char*>(packed.data());  // zlib reads it, and does not say so
    stream_.avail_in = static_cast<unsigned>(packed.size());
    stream_.next_out = plain.data();
    stream_.avail_out = static_cast<unsigned>(plain.size());
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) return std::nullopt;
    has_ended_ = status == Z_STREAM_END;
    return Step{packed.size() - stream_.avail_in, plain.size() - stream_.avail_out};
  }

  bool may_end() const override { return has_ended_; }

 private:
  z_stream stream_ = {};
  bool is_ready_ = false;
  bool has_ended_ = false;  // a member has, and the next has not begun
};

}  // namespace

std::unique_ptr<Unpacker> unpacker_of_gzip() { return std::make_unique<Gzip>(); }

}  // namespace vernier::engine
