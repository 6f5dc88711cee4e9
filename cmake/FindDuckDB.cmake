# DuckDB as static libraries: the target DuckDB::duckdb. They lie where tools/setup fetched them, or in the DuckDB_FOLDER of an
# installed package. The archives depend on each other in circles, so the linker takes them as one group.
if(NOT DuckDB_FOLDER)
  include(vernier_deps)
  read_pin(duckdb_version DuckDB_VERSION)
  set(DuckDB_FOLDER ${VERNIER_DEPS}/duckdb-${DuckDB_VERSION})
endif()
find_path(DuckDB_INCLUDE_DIR NAMES duckdb.h PATHS ${DuckDB_FOLDER} NO_DEFAULT_PATH)
find_file(DuckDB_LIBRARY NAMES libduckdb_static.a PATHS ${DuckDB_FOLDER} NO_DEFAULT_PATH)
mark_as_advanced(DuckDB_INCLUDE_DIR DuckDB_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DuckDB REQUIRED_VARS DuckDB_LIBRARY DuckDB_INCLUDE_DIR VERSION_VAR DuckDB_VERSION
                                  REASON_FAILURE_MESSAGE "run tools/setup")

if(DuckDB_FOUND AND NOT TARGET DuckDB::duckdb)
  find_package(Threads REQUIRED)
  file(GLOB archives ${DuckDB_FOLDER}/lib*.a)
  add_library(DuckDB::duckdb INTERFACE IMPORTED)
  target_include_directories(DuckDB::duckdb SYSTEM INTERFACE ${DuckDB_INCLUDE_DIR})
  target_compile_definitions(DuckDB::duckdb INTERFACE DUCKDB_STATIC_BUILD)
  target_link_libraries(DuckDB::duckdb INTERFACE -Wl,--start-group ${archives} -Wl,--end-group
                                                 Threads::Threads ${CMAKE_DL_LIBS})
endif()
