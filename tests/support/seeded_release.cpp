#include "support/seeded_release.hpp"

namespace vernier::release {

template Result<Release> run_with(const plan::Plan& plan, engine::Session& session, ledger::Ledger& ledger,
                                  testing::SeededSource& source, const Request& request);

namespace detail {

template Result<AllReleased> released_of(const std::vector<Prepared>& all, const std::vector<PreparedTables>& sets,
                                         engine::Session& session, testing::SeededSource& source,
                                         const Progress& progress);
template Result<std::vector<Table>> tables_of(const std::vector<Prepared>& all, engine::Session& session,
                                              testing::SeededSource& source, const Progress& progress);
template Result<std::vector<Integers>> with_noise(const Prepared& prepared, const ExactNumbers& exact,
                                                  const AllDrawn& before, testing::SeededSource& source);

}  // namespace detail
}  // namespace vernier::release
