#!/bin/sh
# The whole loop on real text, from nothing but a checkout: installs what it needs, builds the program
# tailor, fetches six novels, and fits. Takes at most 6 minutes after the build on two cores; started
# again it goes on where it was. Further arguments go to `tailor fit`.
set -eu
cd "$(dirname "$0")/.."
. cmake/debian.sh

tailor_install build corpus

# A build folder that stands keeps its options; a new one needs neither tests nor benchmarks.
if [ -f build/release/build.ninja ]; then
  cmake --preset release >/dev/null
else
  mkdir -p build
  cmake --preset release -DTAILOR_BUILD_TESTING=OFF -DTAILOR_BUILD_BENCH=OFF >build/configure.log || {
    cat build/configure.log
    exit 1
  }
fi
cmake --build --preset release --target tailor

text=build/corpus
hold_out=last-document  # five novels to train on, one held out
if ! sh examples/corpus.sh austen "$text"; then
  text=build/corpus-own
  hold_out=position
  echo "The novels could not be had; training on this repository's own documents and headers instead."
  rm -rf "$text"
  mkdir -p "$text"
  find README.md docs include -name '*.md' -o -name '*.hpp' | while read -r file; do
    cp "$file" "$text/$(echo "$file" | tr '/' '_').txt"
  done
fi

exec build/release/bin/tailor fit --text "$text" --hold-out "$hold_out" --out build/quickstart "$@"
