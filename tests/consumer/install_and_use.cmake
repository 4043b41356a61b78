# Installs the build in TRELLIS_BINARY_DIR below WORK_DIR, then configures, builds and runs the
# project in SOURCE_DIR against that installation alone.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(prefix "${WORK_DIR}/prefix")
set(build "${WORK_DIR}/build")
file(REMOVE_RECURSE "${prefix}" "${build}")

run("${CMAKE_COMMAND}" --install "${TRELLIS_BINARY_DIR}" --prefix "${prefix}" OUTPUT_QUIET)
run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${build}" -G "${GENERATOR}"
  -D "CMAKE_PREFIX_PATH=${prefix}"
  -D "CMAKE_CXX_COMPILER=${CXX_COMPILER}"
  -D "CMAKE_CXX_COMPILER_LAUNCHER=${CXX_COMPILER_LAUNCHER}")
run("${CMAKE_COMMAND}" --build "${build}")
run("${build}/consumer")
if(EXISTS "${prefix}/bin/trellis")
  run("${prefix}/bin/trellis" --version)
endif()
