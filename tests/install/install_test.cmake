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

run(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER} -B ${SCRATCH}/build -D CMAKE_CXX_COMPILER=${COMPILER}
    -D CMAKE_PREFIX_PATH=${SCRATCH}/prefix -D VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/build/consumer)
