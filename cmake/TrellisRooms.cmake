# trellis_rooms(TARGET): compiles the sources of each folder as one, in the order of their names.
# Headers and templates, which take most of a compiler's time here, are then read once for each
# folder instead of once for each file. So what two files of a folder keep to themselves needs two
# names. Without TRELLIS_ROOMS every file is compiled on its own, as an editor's tools like it.
function(trellis_rooms target)
  if(NOT TRELLIS_ROOMS)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
    UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
  # gcc takes a source that is included for a header, where such a class would be a fault.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    file(STRINGS "${source}" many_times REGEX "hwy/foreach_target.h")
    if(NOT many_times)  # Highway includes such a file again for each kind of processor
      cmake_path(GET source PARENT_PATH folder)
      cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
      string(REPLACE "/" "_" room "${folder}")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${room})
    endif()
  endforeach()
endfunction()
