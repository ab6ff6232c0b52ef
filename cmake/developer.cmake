# Settings for the project's own programs; nothing here reaches a target that others link.

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_RUNTIME_OUTPUT_DIRECTORY)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endif()

if(NOT TARGET tailor_tailor)
  message(FATAL_ERROR "Tests, examples and benchmarks need all host parts of tailor; "
    "see above for what is missing, or configure with -DTAILOR_BUILD_TESTING=OFF "
    "-DTAILOR_BUILD_EXAMPLES=OFF -DTAILOR_BUILD_BENCH=OFF.")
endif()

# The warnings under which every program of the project is clean.
add_library(tailor_warnings INTERFACE)
target_compile_options(tailor_warnings INTERFACE -Wall -Wextra -Wpedantic)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 at -O2 and above: three false alarms inside std::string's operator+ (GCC bug 105651).
  target_compile_options(tailor_warnings INTERFACE -Wno-restrict -Wno-array-bounds
    -Wno-stringop-overflow)
endif()
