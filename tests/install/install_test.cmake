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

# The C++ of the README's first page must be true as well, so it is taken from there.
file(READ ${README} readme)
if(NOT readme MATCHES "\n```cpp\n(.*#include <vernier/vernier.hpp>[^`]*)```\n")
  message(FATAL_ERROR "The README shows no C++ that includes <vernier/vernier.hpp>")
endif()
file(WRITE ${SCRATCH}/include/readme.hpp "${CMAKE_MATCH_1}")

run(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER} -B ${SCRATCH}/build -D CMAKE_CXX_COMPILER=${COMPILER}
    -D CMAKE_PREFIX_PATH=${SCRATCH}/prefix -D VERSION=${VERSION} -D README_DIR=${SCRATCH}/include)
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/build/consumer)
