# shellcheck shell=bash disable=SC2034
# The engines that no Debian package carries, pinned by version and hash. CMake reads the versions from here too
# (cmake/vernier_deps.cmake), so keep one NAME=VALUE per line.
duckdb_version=1.5.5
duckdb_module=github.com/duckdb/duckdb-go-bindings/lib/linux-amd64
duckdb_module_version=v0.10505.0
duckdb_hash=h1:nrsaVYj3XYCRbS2FpdOMD/KHE7egRMr+/NR1IHmjT84=
browser_version=1.60.0
web_version=0.28.2-5.9.3-6.43.15
python_environment=python-tests
pyright_version=1.1.414
site_environment=site-9.8.1
trino_version=476
trino_hash=cfd5accde17e8ebd251eeeb78aed1f490e77bb3a164d95a0f454bf8a7c1cbd3f
spark_version=4.3.0
