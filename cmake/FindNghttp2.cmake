# nghttp2, which speaks HTTP/2 without a network of its own.
find_path(Nghttp2_INCLUDE_DIR NAMES nghttp2/nghttp2.h)
find_library(Nghttp2_LIBRARY NAMES nghttp2)
mark_as_advanced(Nghttp2_INCLUDE_DIR Nghttp2_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Nghttp2 REQUIRED_VARS Nghttp2_LIBRARY Nghttp2_INCLUDE_DIR)

if(Nghttp2_FOUND AND NOT TARGET Nghttp2::nghttp2)
  add_library(Nghttp2::nghttp2 INTERFACE IMPORTED)
  target_include_directories(Nghttp2::nghttp2 SYSTEM INTERFACE ${Nghttp2_INCLUDE_DIR})
  target_link_libraries(Nghttp2::nghttp2 INTERFACE ${Nghttp2_LIBRARY})
endif()
