# Warnings and sanitizers for our own code; nothing of this reaches a project that links to us. GCC 12 forgets which of the
# precompiled headers are the system's, and warns of these.
option(VERNIER_PRECOMPILE "Precompile common headers" OFF)
add_library(vernier_options INTERFACE)
target_compile_options(vernier_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                       -Wno-maybe-uninitialized)  # GCC 12 sees some in moved strings of tl::expected that are not there
if(NOT VERNIER_PRECOMPILE)
  target_compile_options(vernier_options INTERFACE -Werror)
endif()
if(VERNIER_SANITIZE)
  add_compile_options(-fsanitize=${VERNIER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${VERNIER_SANITIZE})
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Reads what most files include once for each target, and what is named besides: a build that ccache cannot help with is
# about a third faster. Not by default, since the results are in no other folder's cache.
function(precompile target)
  if(VERNIER_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <optional>
                              <span> <string> <variant> <vector> <tl/expected.hpp> ${ARGN})
  endif()
endfunction()

# The same, with the headers that another target of the same definitions has read already.
function(precompile_as target owner)
  if(VERNIER_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# The proofs of the samplers assume IEEE double arithmetic, rounded to nearest.
if(CMAKE_CXX_FLAGS MATCHES "-ffast-math|-Ofast|-funsafe-math")
  message(FATAL_ERROR "Vernier's error bounds do not hold under -ffast-math; remove it from CMAKE_CXX_FLAGS")
endif()
