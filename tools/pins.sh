# shellcheck shell=bash disable=SC2034
# The engines that no Debian package carries, pinned by version and hash. CMake reads the versions from here too
# (cmake/vernier_deps.cmake), so keep one NAME=VALUE per line.
duckdb_version=1.5.5
duckdb_module=github.com/duckdb/duckdb-go-bindings/lib/linux-amd64
duckdb_module_version=v0.10505.0
duckdb_hash=h1:nrsaVYj3XYCRbS2FpdOMD/KHE7egRMr+/NR1IHmjT84=
browser_version=1.60.0
python_environment=python-tests
