#include "vernier/release/release.hpp"

#include <array>

#include "vernier/release/catalog_ledger.hpp"
#include "vernier/release/run_with.hpp"

namespace vernier::release {

Result<ledger::Receipt> reserved(const plan::Plan& plan, ledger::Ledger& ledger, const std::string& id,
                                 const std::string& plan_hash, const Request& request) {
  return price_of(plan, ledger.terms()).and_then([&](const ledger::Price& price) {
    return ledger.reserve({id, request.study, plan_hash, price});
  });
}

Progress part_of(const Progress& progress, std::size_t part, std::size_t count) {
  const double first = static_cast<double>(part) / static_cast<double>(count);
  const double length = 1 / static_cast<double>(count);
  return [&progress, first, length](double done) { return progress(first + length * done); };
}

Failure run_error(const Error& error) {
  const bool was_stopped = error.sentence == engine::run_stopped;
  return fail(ErrorKind::system, was_stopped ? engine::run_stopped : engine::run_failed);
}

std::string id_of(std::uint64_t first, std::uint64_t second) {
  std::string bytes;
  for (const std::uint64_t word : {first, second}) {
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> static_cast<unsigned>(shift));
  }
  return hex(bytes);
}

Result<Release> run(const plan::Plan& plan, engine::Session& session, ledger::Ledger& ledger, random::Source& source,
                    const Request& request) {
  return run_with(plan, session, ledger, source, request);
}

}  // namespace vernier::release
