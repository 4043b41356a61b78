set(architecture x86_64)
include("${CMAKE_CURRENT_LIST_DIR}/debian.cmake")
