#!/bin/sh
# Installs what the tests need, builds and runs them: everything in release, then what fits the time
# under AddressSanitizer with UndefinedBehaviorSanitizer, and the tests that run threads under
# ThreadSanitizer.
#   sh tests/run.sh                  all of it
#   TAILOR_QUICK=1 sh tests/run.sh   release only
# Stops at the first stage that fails. Each stage's first line gives the time since the start.
set -eu
cd "$(dirname "$0")/.."
exec </dev/null
. cmake/debian.sh

start=$(date +%s)
jobs=${TAILOR_JOBS:-$(nproc)}
stage() {
  seconds=$(($(date +%s) - start))
  printf '\n== %d min %02d s: %s\n' $((seconds / 60)) $((seconds % 60)) "$*"
}

# check PRESET TARGET [CMAKE_OPTION...]
check() {
  preset=$1
  target=$2
  shift 2
  stage "$preset: build"
  cmake --preset "$preset" "$@" >build/configure.log || { cat build/configure.log; return 1; }
  cmake --build --preset "$preset" --target "$target" -j "$jobs"
  stage "$preset: tests"
  ctest --preset "$preset" -j "$jobs"
}

stage "packages"
tailor_install build test corpus
mkdir -p build
check release all -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
  -DTAILOR_BUILD_TESTING=ON -DTAILOR_BUILD_BENCH=ON -DTAILOR_BUILD_EXAMPLES=ON
if [ -z "${TAILOR_QUICK:-}" ]; then
  check sanitize unit_tests
  check tsan unit_tests
fi
