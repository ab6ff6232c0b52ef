#!/bin/sh
# Runs every task of bench_geometry_peer on tiny clouds. What has to be zero is zero.
#   sh bench/peers/geometry_peer_check.sh PROGRAM
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

run() { "$program" "$@" >>said; }
expect() { # TEXT TASK...
  text=$1
  shift
  said=$("$program" "$@")
  case "$said" in *"$text"*) ;; *)
    echo "bench_geometry_peer $*: expected $text, got $said"
    exit 1
    ;;
  esac
}

for kind in sphere activations; do
  run clouds $kind 24 3 before.npy after.npy
  run distances 1 before.npy raw raw.npy
  run distances 1 before.npy angles before-angles.npy
  run distances 1 after.npy angles after-angles.npy
  run h1 1 before-angles.npy before.csv
  run h1 1 after-angles.npy after.csv
  run w2 1 before.csv after.csv
  run gw 1 before-angles.npy after-angles.npy product
  expect '"value":0.0' w2 1 before.csv before.csv
  for start in identity default; do
    expect '"value":0.0' gw 1 before-angles.npy before-angles.npy $start
  done
  expect '"raw.topological":0.0' work 1 before.npy before.npy
done
expect mean_cosine describe 24 3
expect 'pair-2-after.npy' profile 2 2 12 2 2 "$folder"
[ "$(grep -c seconds said)" = 14 ] || {
  echo "bench_geometry_peer: a task was not timed"
  exit 1
}
if "$program" nothing 2>/dev/null; then
  echo "bench_geometry_peer takes a task that there is none of"
  exit 1
fi
