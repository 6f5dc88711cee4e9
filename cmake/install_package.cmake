# `cmake --install build` and then `find_package(vernier)` from another project.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vernier)

install(TARGETS vernier EXPORT vernier_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/vernier DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT vernier_targets NAMESPACE vernier:: FILE vernier-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/vernier-config.cmake.in ${PROJECT_BINARY_DIR}/vernier-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vernier-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vernier-config.cmake ${PROJECT_BINARY_DIR}/vernier-config-version.cmake
              cmake/FindArb.cmake DESTINATION ${package_dir})
