# Warnings and sanitizers for our own code; nothing of this reaches a project that links to us.
add_library(vernier_options INTERFACE)
target_compile_options(vernier_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Werror)
if(VERNIER_SANITIZE)
  add_compile_options(-fsanitize=${VERNIER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${VERNIER_SANITIZE})
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# The proofs of the samplers assume IEEE double arithmetic, rounded to nearest.
if(CMAKE_CXX_FLAGS MATCHES "-ffast-math|-Ofast|-funsafe-math")
  message(FATAL_ERROR "Vernier's error bounds do not hold under -ffast-math; remove it from CMAKE_CXX_FLAGS")
endif()
