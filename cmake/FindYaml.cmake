# libyaml: YAML 1.1, event by event. Debian's has a pkg-config file and nothing for CMake.
find_path(Yaml_INCLUDE_DIR NAMES yaml.h)
find_library(Yaml_LIBRARY NAMES yaml)
mark_as_advanced(Yaml_INCLUDE_DIR Yaml_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Yaml REQUIRED_VARS Yaml_LIBRARY Yaml_INCLUDE_DIR)

if(Yaml_FOUND AND NOT TARGET Yaml::yaml)
  add_library(Yaml::yaml INTERFACE IMPORTED)
  target_include_directories(Yaml::yaml SYSTEM INTERFACE ${Yaml_INCLUDE_DIR})
  target_link_libraries(Yaml::yaml INTERFACE ${Yaml_LIBRARY})
endif()
