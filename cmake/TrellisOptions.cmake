# Flags that every target of the house compiles with.
add_library(trellis_options INTERFACE)
target_compile_options(trellis_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Werror
  # The bits of a result must not depend on what the compiler fuses.
  -ffp-contract=off)
target_include_directories(trellis_options INTERFACE "${PROJECT_SOURCE_DIR}")

set(TRELLIS_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")
if(TRELLIS_SANITIZE)
  add_compile_options(-fsanitize=${TRELLIS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TRELLIS_SANITIZE})
endif()
