# Installs the build to an empty prefix, then configures, builds and runs the consumer against that prefix alone.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)

file(GLOB_RECURSE strays ${SCRATCH}/prefix/*_test.* ${SCRATCH}/prefix/*/support/* ${SCRATCH}/prefix/*.cpp)
if(strays)
  message(FATAL_ERROR "Parts that only tests may use were installed: ${strays}")
endif()

# Whoever is installed can be included; what no public header needs is internal.
file(GLOB_RECURSE installed RELATIVE ${SCRATCH}/prefix/include ${SCRATCH}/prefix/include/*.hpp)
list(FIND installed vernier/study.hpp public_one)
list(FIND installed vernier/engine/duckdb/functions.hpp internal_one)
if(public_one EQUAL -1 OR NOT internal_one EQUAL -1)
  message(FATAL_ERROR "Installed are not exactly the public headers: ${installed}")
endif()

# The C++ that pages show must be true as well, so it is taken from there.
function(take_shown page header file)
  file(READ ${page} text)
  if(NOT text MATCHES "\n```cpp\n([^`]*#include <${header}>[^`]*)```\n")
    message(FATAL_ERROR "${page} shows no C++ that includes <${header}>")
  endif()
  file(WRITE ${SCRATCH}/include/${file} "${CMAKE_MATCH_1}")
endfunction()
take_shown(${SOURCE}/README.md vernier/study.hpp readme.hpp)
take_shown(${SOURCE}/docs/guide/cpp.md vernier/vernier.hpp guide.hpp)
file(READ ${SCRATCH}/include/readme.hpp shown)
string(REGEX MATCHALL "\n" ends "${shown}")
list(LENGTH ends count)
if(count GREATER 19)
  message(FATAL_ERROR "The README's C++ has ${count} lines; a release takes fewer than 20")
endif()

run(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER} -B ${SCRATCH}/build -D CMAKE_CXX_COMPILER=${COMPILER}
    -D CMAKE_PREFIX_PATH=${SCRATCH}/prefix -D VERSION=${VERSION} -D SHOWN_DIR=${SCRATCH}/include)
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/build/consumer)
file(MAKE_DIRECTORY ${SCRATCH}/work)
run(${CMAKE_COMMAND} -E chdir ${SCRATCH}/work ${CMAKE_COMMAND} -E env XDG_CONFIG_HOME=${SCRATCH}/config
    XDG_STATE_HOME=${SCRATCH}/state --unset=VERNIER_CATALOGS ${SCRATCH}/build/study)
