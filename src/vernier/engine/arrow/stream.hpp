#pragma once

#include "vernier/core/result.hpp"
#include "vernier/engine/arrow/abi.hpp"

// What is looked at while a stream of Arrow is taken, whoever keeps its batches.
namespace vernier::engine {

// Released at the end, whatever happens.
class OpenStream {
 public:
  explicit OpenStream(ArrowArrayStream& stream) : stream_(stream) {}
  OpenStream(const OpenStream&) = delete;
  OpenStream& operator=(const OpenStream&) = delete;
  ~OpenStream() {
    if (stream_.release != nullptr) stream_.release(&stream_);
  }

 private:
  ArrowArrayStream& stream_;
};

// That it was not taken before and has functions; one without these is released.
Result<void> check_stream(ArrowArrayStream* stream);
Result<void> check_schema(const ArrowSchema& schema);
Result<void> check_batch(const ArrowArray& batch, const ArrowSchema& schema);

// The sentence where one of its functions fails.
Failure stopped_short();

}  // namespace vernier::engine
