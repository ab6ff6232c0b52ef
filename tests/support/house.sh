#!/bin/sh
# Checks the rules of the house that no compiler checks: which folder may include which, that every
# project include says why it is there, how long a header may be, that the CUDA seam is complete, and
# what lies at the top level.
#   sh tests/support/house.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/../..}"
export LC_ALL=C

# folder: what it may include, itself always. Arrows point one way (docs/design.md); `train` may read
# and write files, since a checkpoint stores its plan as JSON. Only umbrella headers, directly under
# include/tailor, know cpu and cuda, and they may include everything.
allowed() {
  case "$1" in
    arch | device | host) echo "" ;;
    allocation | io) echo "arch" ;;
    cuda) echo "device" ;;
    cpu | geometry) echo "device host" ;;
    nn) echo "arch device" ;;
    train) echo "arch device io nn" ;;
    study) echo "allocation arch device geometry io nn train" ;;
    *) return 1 ;;
  esac
}

# Third-party headers, each with the only folders (or file) that may include it.
third_party() {
  case "$1" in
    nlohmann/*) echo "io train study" ;;
    boost/hana*) echo "arch/hana.hpp" ;;
    boost/math*) echo "study/student_t.hpp" ;;
    cub/* | thrust/* | cuda* | cublas*) echo "cuda" ;;
    *) return 1 ;;
  esac
}

contains() { # WORD LIST
  case " $2 " in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

faults=$(
  find include/tailor -name '*.hpp' -o -name '*.inl' | sort | while read -r header; do
    path=${header#include/tailor/}
    folder=${path%%/*}
    [ "$folder" != "$path" ] || folder=umbrella
    if [ "$folder" != umbrella ] && ! allowed "$folder" >/dev/null; then
      echo "$header: the folder $folder is not one of the house"
      continue
    fi

    lines=$(wc -l <"$header")
    [ "$lines" -le 400 ] || echo "$header: $lines lines, and a header holds one idea in at most 400"
    # An .inl is included several times, each time for another instruction set.
    [ "${header%.inl}" != "$header" ] || [ "$(sed -n 1p "$header")" = "#pragma once" ] ||
      echo "$header: the first line is not #pragma once"

    sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*//p' "$header" | while read -r line; do
      case "$line" in
        \"*) echo "$header: $line is not written as <tailor/...>" ;;
        "<tailor/"*)
          included=${line#<tailor/}
          included=${included%%>*}
          case "$line" in
            *">"*" // "?*) ;;
            *) echo "$header: the include of $included does not say why it is there" ;;
          esac
          [ -f "include/tailor/$included" ] || echo "$header: there is no include/tailor/$included"
          [ "$folder" != umbrella ] || continue
          other=${included%%/*}
          [ "$other" != "$included" ] || other="an umbrella header"
          [ "$other" = "$folder" ] || contains "$other" "$(allowed "$folder")" ||
            echo "$header: $folder must not include $other ($included)"
          ;;
        *)
          name=${line#<}
          name=${name%%>*}
          if places=$(third_party "$name"); then
            contains "$folder" "$places" || contains "$path" "$places" ||
              echo "$header: $name may be included by $places only"
          else
            case "$name" in
              */* | *.hpp) echo "$header: $name is not a header of the standard library" ;;
            esac
          fi
          ;;
      esac
    done
  done

  # Row kernels stand where every device and the check below find them.
  grep -rlE 'operator\(\)\(Team[A-Za-z]* const' include/tailor |
    grep -vE '^include/tailor/(device|cpu|cuda)/' |
    sed 's,$,: row kernels belong in include/tailor/device/row_kernels,' || true

  # The CUDA seam compiles what it names: every argument struct and every row kernel.
  {
    sed -n 's/^struct \([A-Za-z0-9_]*\).*/\1/p' include/tailor/device/operations/*.hpp
    awk '/^struct / { name = $2 } /operator\(\)\(Team/ { print name }' \
      include/tailor/device/row_kernels/*.hpp
  } | sort -u | while read -r name; do
    grep -qw "$name" tests/cuda/seam.cu || echo "tests/cuda/seam.cu does not compile $name"
  done

  if git rev-parse --git-dir >/dev/null 2>&1; then
    entries=$(git ls-files | sed 's,/.*,,' | sort -u)
  else
    entries=$(ls -A | grep -vx -e build -e out)
  fi
  for entry in $entries; do
    contains "$entry" "include tests bench examples docs cmake CMakeLists.txt CMakePresets.json \
      LICENSE README.md .ci .clang-format .gitignore" ||
      echo "$entry: the top level has no place for it"
  done
)

if [ -n "$faults" ]; then
  echo "$faults"
  exit 1
fi
echo "the house is in order"
