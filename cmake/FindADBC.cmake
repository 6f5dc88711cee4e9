# ADBC, fetched by tools/setup: the target ADBC::adbc (the header <arrow-adbc/adbc.h>), and the PostgreSQL driver, which
# is loaded at run time, in ADBC_POSTGRESQL_DRIVER.
include(vernier_deps)
read_pin(adbc_version ADBC_VERSION)
set(root ${VERNIER_DEPS}/adbc-${ADBC_VERSION})
find_path(ADBC_INCLUDE_DIR NAMES arrow-adbc/adbc.h PATHS ${root} NO_DEFAULT_PATH)
find_file(ADBC_POSTGRESQL_DRIVER NAMES libadbc_driver_postgresql.so PATHS ${root} NO_DEFAULT_PATH)
mark_as_advanced(ADBC_INCLUDE_DIR ADBC_POSTGRESQL_DRIVER)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ADBC REQUIRED_VARS ADBC_POSTGRESQL_DRIVER ADBC_INCLUDE_DIR VERSION_VAR ADBC_VERSION
                                  REASON_FAILURE_MESSAGE "run tools/setup")

if(ADBC_FOUND AND NOT TARGET ADBC::adbc)
  add_library(ADBC::adbc INTERFACE IMPORTED)
  target_include_directories(ADBC::adbc SYSTEM INTERFACE ${ADBC_INCLUDE_DIR})
endif()
