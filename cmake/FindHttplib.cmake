# cpp-httplib, as Debian builds it: a header and a library, which must be told alike what it was built with.
find_path(Httplib_INCLUDE_DIR NAMES httplib.h)
find_library(Httplib_LIBRARY NAMES cpp-httplib)
mark_as_advanced(Httplib_INCLUDE_DIR Httplib_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Httplib REQUIRED_VARS Httplib_LIBRARY Httplib_INCLUDE_DIR)

if(Httplib_FOUND AND NOT TARGET Httplib::httplib)
  add_library(Httplib::httplib INTERFACE IMPORTED)
  target_include_directories(Httplib::httplib SYSTEM INTERFACE ${Httplib_INCLUDE_DIR})
  target_link_libraries(Httplib::httplib INTERFACE ${Httplib_LIBRARY} OpenSSL::SSL OpenSSL::Crypto)
endif()
