# Warnings and sanitizers for our own code; nothing of this reaches a project that links to us.
add_library(vernier_options INTERFACE)
target_compile_options(vernier_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                       -Wno-maybe-uninitialized  # GCC 12 sees some in moved strings of tl::expected that are not there
                       -Wno-restrict             # and overlaps in "a" + text, by its bug 105651
                       -Werror)
if(VERNIER_SANITIZE)
  add_compile_options(-fsanitize=${VERNIER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${VERNIER_SANITIZE})
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # Clones that lie in other folders share what was compiled, also with precompiled headers, which are new in each.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
endif()

# Compiles the files of a target in batches (decision 0025): a build that ccache cannot help with takes half the time. Files
# with definitions of their own stay alone, and those that match APART share no batch with others; a batch has at most MOST. What GCC 12 guesses while it
# optimises changes with what it sees at once, and is not told; files compiled one by one tell it.
option(VERNIER_UNITY "Compile many files at once: quicker from nothing, slower after an edit" OFF)
if(VERNIER_UNITY)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()
function(in_batches target)
  if(NOT VERNIER_UNITY)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "APART;MOST" "")
  if(NOT arg_MOST)
    set(arg_MOST 14)
  endif()
  foreach(guess array-bounds stringop-overflow stringop-overread dangling-pointer use-after-free free-nonheap-object nonnull)
    target_compile_options(${target} PRIVATE -Wno-${guess})
  endforeach()
  get_target_property(sources ${target} SOURCES)
  set(alone)
  set(together)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    if(definitions)
      list(APPEND alone ${source})
    else()
      list(APPEND together ${source})
    endif()
  endforeach()
  if(arg_APART)
    set(apart ${together})
    list(FILTER apart INCLUDE REGEX ${arg_APART})
    list(FILTER together EXCLUDE REGEX ${arg_APART})
    write_batches(${target}/apart ${arg_MOST} "${apart}" apart_batches)
  endif()
  write_batches(${target} ${arg_MOST} "${together}" batches)
  set_target_properties(${target} PROPERTIES SOURCES "${alone};${apart_batches};${batches}")
endfunction()

function(write_batches name most sources result)
  set(includes src apps tests python/src)
  list(TRANSFORM includes PREPEND ${PROJECT_SOURCE_DIR}/)
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/cmake/batches.py ${PROJECT_BINARY_DIR}/batches/${name} ${most}
                          ${includes} -- ${sources}
                  OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" batches "${lines}")
  set(${result} ${batches} PARENT_SCOPE)
endfunction()

# The proofs of the samplers assume IEEE double arithmetic, rounded to nearest.
if(CMAKE_CXX_FLAGS MATCHES "-ffast-math|-Ofast|-funsafe-math")
  message(FATAL_ERROR "Vernier's error bounds do not hold under -ffast-math; remove it from CMAKE_CXX_FLAGS")
endif()
