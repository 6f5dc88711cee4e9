# `cmake --install build` and then `find_package(vernier)` from another project: vernier::vernier, and vernier::study with the
# engine that it links, whose archives no package of a distribution carries (decision 0017).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vernier)
set(duckdb_dir ${CMAKE_INSTALL_LIBDIR}/vernier/duckdb-${DuckDB_VERSION})

set_target_properties(vernier_duckdb PROPERTIES EXPORT_NAME duckdb)
set_target_properties(vernier_study PROPERTIES EXPORT_NAME study)
install(TARGETS vernier vernier_duckdb vernier_study EXPORT vernier_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/vernier DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ${DuckDB_FOLDER}/ DESTINATION ${duckdb_dir}
        FILES_MATCHING PATTERN "lib*.a" PATTERN "duckdb.h" PATTERN "LICENSE")
install(EXPORT vernier_targets NAMESPACE vernier:: FILE vernier-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/vernier-config.cmake.in ${PROJECT_BINARY_DIR}/vernier-config.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS duckdb_dir)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vernier-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vernier-config.cmake ${PROJECT_BINARY_DIR}/vernier-config-version.cmake
              cmake/FindArb.cmake cmake/FindDuckDB.cmake DESTINATION ${package_dir})
