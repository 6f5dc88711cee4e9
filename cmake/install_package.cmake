# `cmake --install build` and then `find_package(vernier)` from another project: vernier::vernier, and vernier::study with the
# engine that it links, whose archives no package of a distribution carries (decision 0017).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vernier)
set(duckdb_dir ${CMAKE_INSTALL_LIBDIR}/vernier/duckdb-${DuckDB_VERSION})

set_target_properties(vernier_duckdb PROPERTIES EXPORT_NAME duckdb)
set_target_properties(vernier_study PROPERTIES EXPORT_NAME study)
install(TARGETS vernier vernier_duckdb vernier_study EXPORT vernier_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

# Headers: the two public ones and what these include. All others are internal, and may change without a word.
set(public_headers vernier/study.hpp vernier/vernier.hpp)
set(unread_headers ${public_headers})
while(unread_headers)
  list(POP_FRONT unread_headers header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${header})
  file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} included REGEX "^#include \"vernier/")
  foreach(line IN LISTS included)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*$" "\\1" found "${line}")
    if(NOT found IN_LIST public_headers)
      list(APPEND public_headers ${found})
      list(APPEND unread_headers ${found})
    endif()
  endforeach()
endwhile()
foreach(header IN LISTS public_headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()

install(DIRECTORY ${DuckDB_FOLDER}/ DESTINATION ${duckdb_dir}
        FILES_MATCHING PATTERN "lib*.a" PATTERN "duckdb.h" PATTERN "LICENSE")
install(EXPORT vernier_targets NAMESPACE vernier:: FILE vernier-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/vernier-config.cmake.in ${PROJECT_BINARY_DIR}/vernier-config.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS duckdb_dir)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vernier-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vernier-config.cmake ${PROJECT_BINARY_DIR}/vernier-config-version.cmake
              cmake/FindArb.cmake cmake/FindDuckDB.cmake cmake/FindHttplib.cmake cmake/FindNghttp2.cmake DESTINATION ${package_dir})
