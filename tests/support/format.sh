#!/bin/sh
# Names every source file that CLANG_FORMAT would change.
#   sh tests/support/format.sh CLANG_FORMAT ROOT
set -eu
cd "$2"
find include tests examples bench -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' |
  sort | xargs "$1" --dry-run --Werror
