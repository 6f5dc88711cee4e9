# shellcheck shell=bash disable=SC2034
# The engines that no Debian package carries, pinned by version and hash. CMake reads the versions from here too
# (cmake/vernier_deps.cmake), so keep one NAME=VALUE per line.
duckdb_version=1.5.5
duckdb_module=github.com/duckdb/duckdb-go-bindings/lib/linux-amd64
duckdb_module_version=v0.10505.0
duckdb_hash=h1:nrsaVYj3XYCRbS2FpdOMD/KHE7egRMr+/NR1IHmjT84=
browser_version=1.60.0
adbc_version=1.13.0
adbc_manager_hash=sha256:2e5444a944e3c17c778601e35e83902e26d9571e77ca132b61f264c78346a06c
adbc_postgresql_hash=sha256:a86819ba7c79b1d067c4a5344358b4d346bab58e888d7879ed2b25d97cc59ba1
python_environment=python-tests
