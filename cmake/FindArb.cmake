# Arb: ball arithmetic with proven error bounds. Its own library in Debian 12, a part of FLINT 3 later.
find_path(Arb_INCLUDE_DIR NAMES arb.h PATH_SUFFIXES flint)
find_library(Arb_LIBRARY NAMES flint-arb arb flint)
find_library(Arb_FLINT_LIBRARY NAMES flint)
find_library(Arb_MPFR_LIBRARY NAMES mpfr)
find_library(Arb_GMP_LIBRARY NAMES gmp)
mark_as_advanced(Arb_INCLUDE_DIR Arb_LIBRARY Arb_FLINT_LIBRARY Arb_MPFR_LIBRARY Arb_GMP_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Arb REQUIRED_VARS Arb_LIBRARY Arb_FLINT_LIBRARY Arb_MPFR_LIBRARY Arb_GMP_LIBRARY Arb_INCLUDE_DIR)

if(Arb_FOUND AND NOT TARGET Arb::arb)
  add_library(Arb::arb INTERFACE IMPORTED)
  target_include_directories(Arb::arb SYSTEM INTERFACE ${Arb_INCLUDE_DIR})
  target_link_libraries(Arb::arb INTERFACE ${Arb_LIBRARY} ${Arb_FLINT_LIBRARY} ${Arb_MPFR_LIBRARY} ${Arb_GMP_LIBRARY})
endif()
