# `cmake --install`: the program, the static libraries of the layers, their headers and the package
# that find_package(Trellis) reads. A consumer links Trellis::trellis, or single layers by name.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Trellis")
list(TRANSFORM TRELLIS_LAYERS PREPEND "trellis_" OUTPUT_VARIABLE layer_targets)

install(TARGETS ${layer_targets} trellis_all EXPORT TrellisTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT TrellisTargets NAMESPACE Trellis:: DESTINATION "${package_dir}")
if(TARGET trellis)
  install(TARGETS trellis RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

foreach(layer ${TRELLIS_LAYERS})
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/trellis/${layer}"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/trellis"
    FILES_MATCHING PATTERN "*.h")
endforeach()

configure_package_config_file(cmake/TrellisConfig.cmake.in
  "${PROJECT_BINARY_DIR}/TrellisConfig.cmake" INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a minor release may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/TrellisConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/TrellisConfig.cmake"
  "${PROJECT_BINARY_DIR}/TrellisConfigVersion.cmake"
  cmake/TrellisDependencies.cmake
  DESTINATION "${package_dir}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
