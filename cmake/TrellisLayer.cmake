include(TrellisRooms)

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
