include(TrellisRooms)

# Parsed once for the whole library instead of once for each folder: a quarter of a compiler's time
# here. A build of single files (preset debug) and that of clang-tidy (lint) go without, so a header
# that lacks an include is found there.
function(trellis_standard_headers target)
  if(NOT TRELLIS_ROOMS OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    return()
  endif()
  if(NOT TARGET trellis_base OR target STREQUAL "trellis_base")
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <chrono> <cmath> <functional> <limits> <map> <memory> <mutex> <numeric>
      <optional> <set> <span> <stop_token> <string> <string_view> <unordered_map> <utility> <variant>
      <vector> <fmt/format.h>)
  else()
    target_precompile_headers(${target} REUSE_FROM trellis_base)
  endif()
  # Of precompiled headers gcc 12 forgets that they are the system's, and finds faults in std::string.
  target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
endfunction()

# trellis_layer(NAME [LAYERS layer...] [LIBRARIES target...]): the static library trellis_NAME from
# all sources of this folder, or an interface library where there is none. LAYERS are those it may
# use; tests/layering_test.py holds the includes to the same list.
function(trellis_layer name)
  cmake_parse_arguments(ARG "" "" "LAYERS;LIBRARIES" ${ARGN})
  list(TRANSFORM ARG_LAYERS PREPEND "trellis_")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
  list(FILTER sources EXCLUDE REGEX "main\\.cc$")
  if(sources)
    add_library(trellis_${name} STATIC ${sources})
    set(scope PUBLIC)
    trellis_rooms(trellis_${name})
    trellis_standard_headers(trellis_${name})
  else()
    add_library(trellis_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(Trellis::${name} ALIAS trellis_${name})
  set_target_properties(trellis_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(trellis_${name} ${scope} cxx_std_20)
  target_include_directories(trellis_${name} ${scope}
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<INSTALL_INTERFACE:include>")
  target_link_libraries(trellis_${name} ${scope}
    $<BUILD_INTERFACE:trellis_options> ${ARG_LAYERS} ${ARG_LIBRARIES})
endfunction()
