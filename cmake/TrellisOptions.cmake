# Flags that every target of the house compiles with. They reach neither an installed package nor
# a project that builds Trellis inside itself: a consumer's warnings are the consumer's.
add_library(trellis_options INTERFACE)
target_compile_options(trellis_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Werror
  # clang counts signs among the conversions, gcc does not. The library passes that as well (preset
  # lint); the tests tell sizes in plain numbers.
  $<$<AND:$<CXX_COMPILER_ID:Clang>,$<BOOL:${TRELLIS_BUILD_TESTS}>>:-Wno-sign-conversion>
  # The bits of a result must not depend on what the compiler fuses.
  -ffp-contract=off
  # Everywhere alike, so that precompiled headers fit.
  -pthread)

# Debug builds (the sanitizer and fuzz presets are such) check the bounds of every container.
add_compile_definitions($<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

if(TRELLIS_SANITIZE)
  add_compile_options(-fsanitize=${TRELLIS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TRELLIS_SANITIZE})
  add_compile_definitions(TRELLIS_FEW_VECTOR_TARGETS)
endif()

if(CMAKE_CXX_CLANG_TIDY)  # other checks: every file again
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/.clang-tidy")
  file(MD5 "${PROJECT_SOURCE_DIR}/.clang-tidy" checks)
  add_compile_definitions(TRELLIS_CHECKS_${checks})
  # clang-tidy tells the compiler's warnings too: objects stay empty, and there is nothing to link.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${PROJECT_SOURCE_DIR}/cmake/note_dependencies.sh")
  set(CMAKE_CXX_LINK_EXECUTABLE "<CMAKE_COMMAND> -E touch <TARGET>")
endif()

if(TRELLIS_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TRELLIS_BUILD_FUZZERS needs clang: use the preset 'fuzz'.")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)  # coverage counters in the library, no main
endif()

if(TRELLIS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TRELLIS_CCACHE_PROGRAM ccache)
  mark_as_advanced(TRELLIS_CCACHE_PROGRAM)
  if(TRELLIS_CCACHE_PROGRAM)
    # What the standard headers define is the same wherever they are precompiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros "${TRELLIS_CCACHE_PROGRAM}")
  endif()
endif()
