#!/bin/sh
# Tests of the commands that measure clouds and diagrams, from outside.
#   sh geometry.sh TAILOR WORK_FOLDER TEST WRITE_NPY
# TEST is one of the functions below whose names begin with test_.
. "$(dirname "$0")/support.sh"

# cloud FILE COLUMNS [NUMBER...]: a .npy matrix of doubles, the numbers row by row.
cloud() {
  file=$1
  columns=$2
  shift 2
  echo "$@" | "$write_npy" "$file" f8 "$columns"
}

# numbers FORMULA: what awk computes, 17 digits each, pi being known.
numbers() { awk "BEGIN { OFMT = \"%.17g\"; pi = atan2(0, -1); print $1 }"; }

# value KEY: the last value of that name in out.json, quotes and all.
value() { sed -n "s/.*\"$1\":\(\"[^\"]*\"\|[^,}]*\).*/\1/p" out.json; }

# json COMMAND...: its result in out.json, and nothing anywhere else.
json() {
  "$tailor" "$@" --json >out.json 2>err.txt || fail "tailor $*: $(cat err.txt)"
  [ ! -s err.txt ] || fail "no message expected from: tailor $* --json"
  [ "$(wc -l <out.json)" = 1 ] || fail "one object expected from: tailor $* --json"
}

# close_to GOT EXPECTED WHAT: equal to 1e-12; exactly where 0, a word or null is expected.
close_to() {
  awk -v got="$1" -v expected="$2" 'BEGIN {
    same = got == expected || (got + 0 != 0 && expected + 0 != 0 && got / expected - 1 < 1e-12 &&
      expected / got - 1 < 1e-12)
    exit same && got != "" ? 0 : 1 }' || fail "$3: $2 expected, got $1"
}

# has KEY EXPECTED: of out.json.
has() { close_to "$(value "$1")" "$2" "$1 of $(cat out.json)"; }

# has_in OBJECT KEY EXPECTED: of an object inside out.json.
has_in() {
  sed -n "s/.*\"$1\":{\([^}]*\)}.*/\1/p" out.json >inner.json
  close_to "$(sed -n "s/.*\"$2\":\([^,]*\).*/\1/p" inner.json)" "$3" "$1 $2 of $(cat out.json)"
}

# bars: the list in out.json, "birth death" a line.
bars() { sed 's/.*"bars":\[//; s/\],"n_used.*//; s/\],\[/\n/g; s/[]["]//g; s/,/ /g' out.json; }

# one_bar BIRTH DEATH
one_bar() {
  [ "$(bars | grep -c .)" = 1 ] || fail "one bar expected, got $(cat out.json)"
  close_to "$(bars | cut -d' ' -f1)" "$1" "birth"
  close_to "$(bars | cut -d' ' -f2)" "$2" "death"
}

no_bar() { grep -q '"bars":\[\],' out.json || fail "no bar expected, got $(cat out.json)"; }

# polygon FILE N [TIMES]: the corners of a regular polygon on the unit circle, each so many times.
polygon() {
  awk -v n="$2" -v times="${3:-1}" 'BEGIN { pi = atan2(0, -1); for (i = 0; i < n * times; ++i)
    printf "%.17g %.17g\n", cos(2 * pi * (i % n) / n), sin(2 * pi * (i % n) / n) }' |
    "$write_npy" "$1" f8 2
}

test_work() {
  pi=$(numbers pi)
  cloud x.npy 3 3 0 0
  cloud y.npy 3 -7 0 0
  json work x.npy y.npy
  has_in spherical shift "$pi"
  has_in hyperbolic shift "$(numbers '2 * log(3)')"
  has_in raw shift 10
  has_in raw topological 0
  has n_used 1
  cloud x.npy 2 1 0
  cloud y.npy 2 0 5
  json work x.npy y.npy
  has_in spherical shift "$(numbers pi/2)"
  has_in hyperbolic shift 1.6806997724280035
  cloud x.npy 2 2 0
  cloud y.npy 2 5 0
  json work x.npy y.npy
  has_in spherical shift 0.0

  # A token without a direction leaves the directions, and is counted.
  cloud x.npy 2 0 0 1 0 0 1 1 1
  cloud y.npy 2 1 0 1 0 0 1 0 0
  json work x.npy y.npy
  has_in spherical shift 0.0
  has_in spherical n_used 2
  has_in raw shift "$(numbers '(1 + sqrt(2)) / 4')"
  has_in raw n_used 4
  has n_used 2
  has n_undefined 2
  has status '"ok"'
  ! grep -qi 'nan\|inf' out.json || fail "no number may be undefined unsaid: $(cat out.json)"

  # Of identical tokens nothing moves and nothing is bent.
  cloud x.npy 3 1 2 3 1 2 3 1 2 3 1 2 3 1 2 3 1 2 3 1 2 3 1 2 3
  json work x.npy x.npy
  for geometry in raw spherical hyperbolic; do
    for statistic in shift distortion topological; do has_in $geometry $statistic 0.0; done
  done
  cloud empty.npy 3
  json work empty.npy empty.npy
  has_in raw shift null
  grep -q '"undefined: raw, spherical, hyperbolic: ' out.json || fail "a reason: $(cat out.json)"

  cloud y.npy 3 1 2 3
  refused "[8, 3] and [1, 3]" work x.npy y.npy
  polygon x.npy 8
  "$tailor" work x.npy x.npy >out.txt 2>/dev/null
  grep -q 'topological' out.txt || fail "a table expected: $(cat out.txt)"
  [ "$(grep -c identity out.txt)" = 3 ] || fail "the start of three geometries: $(cat out.txt)"
}

test_h1() {
  for n in 4 5 6 7 8 12; do
    polygon x.npy $n
    json h1 x.npy
    one_bar "$(numbers "2 * sin(pi / $n)")" \
      "$(numbers "2 * sin(pi * int(($n + 2) / 3) / $n)")"
  done
  polygon x.npy 6 2
  json h1 x.npy
  one_bar 1 "$(numbers 'sqrt(3)')"
  cloud x.npy 2 0 0 3 0 3 4 0 4
  json h1 x.npy
  one_bar 4 5
  polygon x.npy 4
  json h1 x.npy --threshold 1.9
  one_bar "$(numbers 'sqrt(2)')" inf
  json h1 x.npy --threshold 2.0000000001
  one_bar "$(numbers 'sqrt(2)')" 2
  json h1 x.npy --metric angle
  one_bar "$(numbers pi/2)" "$(numbers pi)"
  json h1 x.npy --metric hyperbolic
  one_bar 1.6806997724280035 "$(numbers '2 * log(3)')"

  # Float, a matrix of distances and an edge that never comes.
  echo 0 0 3 0 3 4 0 4 | "$write_npy" x.npy f4 2
  json h1 x.npy
  one_bar 4 5
  cloud d.npy 4 0 1 inf 1 1 0 1 inf inf 1 0 1 1 inf 1 0
  json h1 --distances d.npy
  one_bar 1 inf
  cloud x.npy 2
  json h1 x.npy
  no_bar
  cloud x.npy 2 1 2 1 2 1 2 1 2 1 2
  json h1 x.npy
  no_bar
  has status '"ok"'

  # A token that is not finite is left out and counted.
  cloud x.npy 2 0 0 3 0 nan 1 3 4 0 4
  json h1 x.npy
  one_bar 4 5
  has n_undefined 1
  cloud x.npy 2 nan 1
  json h1 x.npy
  has bars null
  grep -q '"undefined: bars: token 0 ' out.json || fail "a reason expected: $(cat out.json)"

  polygon x.npy 12
  "$tailor" h1 x.npy --out bars.csv >out.txt 2>err.txt
  grep -q '12 points need .*B of memory' err.txt || fail "the need of memory: $(cat err.txt)"
  grep -q '1 bars' out.txt || fail "the bars for people expected: $(cat out.txt)"
  json h1 x.npy
  [ "$(tr ',' ' ' <bars.csv)" = "$(bars)" ] || fail "the CSV holds the bars: $(cat bars.csv)"
  refused "12 points need" h1 x.npy --memory-limit 1k

  cloud x.npy 2 nan 1 0 0 3 0 3 4 0 4
  json h1 x.npy --representatives
  grep -qF '"representatives":[[[4,1],[4,3],[3,2],[2,1]]]' out.json ||
    fail "the sides of the rectangle expected: $(cat out.json)"
  "$tailor" h1 x.npy --representatives >out.txt 2>err.txt
  grep -q 'along 4-1 4-3 3-2 2-1' out.txt || fail "the cycle for people expected: $(cat out.txt)"
}

test_w2() {
  : >empty.csv
  echo 0,1 >a.csv
  json w2 empty.csv empty.csv
  has w2 0.0
  json w2 a.csv empty.csv
  has w2 "$(numbers '1 / sqrt(2)')"
  json w2 empty.csv a.csv --norm linf
  has w2 0.5
  printf 'birth,death\n0,4\n1,2\n' >a.csv
  printf '# birth,death\r\n0.0e+00,3.000000000000000000e+00\r\n' >b.csv
  json w2 a.csv b.csv
  has w2 "$(numbers 'sqrt(1.5)')"
  has paired 1
  has diagonal 1
  json w2 b.csv a.csv --norm linf
  has w2 "$(numbers 'sqrt(1.25)')"
  printf '0,inf\n0.1,0.5\n' >a.csv
  json w2 a.csv a.csv
  has w2 0.0
  printf '0,1\n0.1,0.5' >b.csv
  json w2 a.csv b.csv
  has w2 '"inf"'
  has status '"ok"'
  grep -q '"note":"1 bars never die' out.json || fail "a note expected: $(cat out.json)"
  echo 0,inf >a.csv
  echo 3,Infinity >b.csv
  json w2 a.csv b.csv
  has w2 3
  "$tailor" w2 a.csv b.csv | grep -q '^W2 = 3 ' || fail "the distance for people expected"

  # Diagrams as the program writes them.
  polygon x.npy 6
  polygon y.npy 4
  "$tailor" h1 x.npy --out x.csv >/dev/null 2>&1
  "$tailor" h1 y.npy --out y.csv >/dev/null 2>&1
  json w2 x.csv y.csv
  has w2 "$(numbers 'sqrt((sqrt(2) - 1)^2 + (2 - sqrt(3))^2)')"
  refused "x.npy: line 1: " w2 x.npy y.csv
}

test_gw() {
  cloud x.npy 1 0 1
  cloud y.npy 1 0 3
  json gw x.npy y.npy
  has gw_sq 2
  has gw "$(numbers 'sqrt(2) / 2')"
  cloud x.npy 1 5
  cloud y.npy 1 0 2
  json gw x.npy y.npy
  has gw_sq 2
  cloud y.npy 3 0 1 1 1 0 1 1 1 0
  cloud x.npy 3 7 7 7
  json gw x.npy y.npy
  has gw_sq "$(numbers '4 / 3')" # side sqrt(2)
  cloud d.npy 3 0 1 1 1 0 1 1 1 0
  cloud point.npy 1 0
  json gw --distances point.npy d.npy
  has gw_sq "$(numbers '2 / 3')"
  cloud x.npy 2 0 0 1 0 1 1 0 1
  cloud y.npy 2 0 0 2 0 2 2 0 2
  json gw x.npy y.npy
  has gw_sq 1
  has gw 0.5
  has status '"ok"'

  # Shuffled corners of a polygon are the polygon.
  polygon x.npy 5
  json gw x.npy x.npy
  has gw_sq 0.0
  cloud y.npy 2 "$(numbers '1, 0, cos(pi * .8), sin(pi * .8), cos(pi * .4), sin(pi * .4),
    cos(pi * 1.6), sin(pi * 1.6), cos(pi * 1.2), sin(pi * 1.2)')"
  json gw x.npy y.npy --starts all-anchors
  awk -v gw="$(value gw)" 'BEGIN { exit gw < 1e-12 ? 0 : 1 }' || fail "zero: $(cat out.json)"
  cloud x.npy 2
  json gw x.npy y.npy
  has gw null
  grep -q '"undefined: gw: a cloud without points"' out.json || fail "a reason: $(cat out.json)"
  cloud x.npy 2 0 0 1 0 5 1 0 7
  json gw x.npy y.npy
  first=$(value lower_bound)
  json gw x.npy y.npy --third-bound
  awk -v first="$first" -v third="$(value lower_bound)" -v gw="$(value gw)" \
    'BEGIN { exit 0 < first && first < third && third <= gw ? 0 : 1 }' ||
    fail "$first, the first bound, below the third of $(cat out.json)"
  # With entropy the coupling is spread, and its value above that of the best descent.
  descended=$(value gw)
  json gw x.npy y.npy --entropic 0.1
  awk -v descended="$descended" -v gw="$(value gw)" 'BEGIN { exit descended < gw ? 0 : 1 }' ||
    fail "$descended, without entropy, below $(cat out.json)"
  refused "--entropic" gw x.npy y.npy --entropic 0
  refused "excludes" gw x.npy y.npy --entropic 0.1 --starts identity
  refused "--starts" gw x.npy y.npy --starts nearest
  refused "at least one start" gw d.npy y.npy --starts identity
  refused "allowed" gw y.npy y.npy --memory-limit 1k
}

test_dimension() {
  cloud x.npy 1 0 1 2 3
  json dimension x.npy
  has twonn_mle "$(numbers '4 / (2 * log(2))')"
  cloud x.npy 1 0 1 2 3 4 5 6 7 8 9
  json dimension x.npy
  has twonn_mle "$(numbers '10 / (2 * log(2))')"
  has n_used 10
  has n_dropped 0
  cloud x.npy 6 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1
  json dimension x.npy
  has participation_ratio 5
  has twonn_mle null
  grep -q '"undefined: twonn_mle, twonn_fit' out.json || fail "reasons: $(cat out.json)"
  cloud x.npy 2 0 0 3 0 3 4 0 4
  json dimension x.npy
  has participation_ratio 1.8545994065281899
  cloud d.npy 4 0 3 5 4 3 0 4 5 5 4 0 3 4 5 3 0
  json dimension --distances d.npy
  has participation_ratio 1.8545994065281899
  cloud x.npy 3 1 2 3 1 2 3 1 2 3 1 2 3
  json dimension x.npy
  has participation_ratio null
  has n_used 0
  has n_dropped 4
  cloud x.npy 1 0 1 2 3 nan inf 0
  json dimension x.npy
  has n_used 3
  has n_dropped 4
  json dimension x.npy --metric angle
  has participation_ratio null
  "$tailor" dimension d.npy | grep -q 'TwoNN' || fail "estimates for people expected"
}

# raw_npy DICTIONARY [DATA]: a file of version 1 with a header of 118 bytes.
raw_npy() {
  printf '\223NUMPY\001\000\166\000'
  printf '%-117s\n' "$1"
  printf "${2:-}"
}

test_geometry_files() {
  polygon x.npy 4
  refused "nowhere.npy" h1 nowhere.npy
  refused "nowhere.npy" work x.npy nowhere.npy
  refused "nowhere.csv" w2 nowhere.csv nowhere.csv
  refused ".: a .npy file expected" h1 .
  printf 'version https://git-lfs.github.com/spec/v1\n' >bad.npy
  refused "bad.npy: npy magic: expected \\x93NUMPY, got text (a git-lfs pointer?)" h1 bad.npy
  : >bad.npy
  refused "bad.npy" dimension bad.npy
  head -c 150 x.npy >bad.npy
  refused "bad.npy: npy data: expected 64 bytes, got 22" gw x.npy bad.npy
  for type in '<c16' '|b1' '<f16' '|O' '<U4'; do
    raw_npy "{'descr': '$type', 'fortran_order': False, 'shape': (1, 1), }" >bad.npy
    refused "bad.npy: npy descr" h1 bad.npy
  done
  for shape in '(4611686018427387904, 4611686018427387904)' '(4294967296, 4294967296)' \
    '(9223372036854775807, 1)' '(-1, 1)' '(99999999999999999999, 1)'; do
    raw_npy "{'descr': '<f8', 'fortran_order': False, 'shape': $shape, }" >bad.npy
    refused "bad.npy: npy" h1 bad.npy
  done
  raw_npy "{'descr': '<f8', 'fortran_order': False, 'shape': (1099511627776, 0), }" >bad.npy
  refused "bad.npy" h1 bad.npy
  raw_npy "{'descr': '<f8', 'fortran_order': False, 'shape': (2147483647, 0), }" >bad.npy
  refused "bad.npy: at most 65535 points expected" h1 bad.npy
  refused "needs" dimension bad.npy
  raw_npy "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }" '\001\002' >bad.npy
  refused "bad.npy" h1 bad.npy
  refused "bad.npy: an array [points, dimensions] expected, got [2]" dimension bad.npy
  raw_npy "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 1, 2), }" '\001\002' >bad.npy
  refused "bad.npy: an array [points, dimensions] expected, got [1, 1, 2]" work bad.npy x.npy

  # Fortran order, big-endian and small integers are read as the numbers they are.
  raw_npy "{'descr': '|i1', 'fortran_order': True, 'shape': (4, 2), }" \
    '\000\003\003\000\000\000\004\004' >rectangle.npy
  json h1 rectangle.npy
  one_bar 4 5
  raw_npy "{'descr': '>i2', 'fortran_order': False, 'shape': (4, 2), }" \
    '\000\000\000\000\000\003\000\000\000\003\000\004\000\000\000\004' >rectangle.npy
  json h1 rectangle.npy
  one_bar 4 5

  cloud d.npy 2 0 1 1 0 0 1
  refused "d.npy: a square matrix of distances expected, got [3, 2]" h1 --distances d.npy
  cloud d.npy 2 0 1 2 0
  refused "d.npy: entry (1, 0): a symmetric matrix expected, got 2 and 1" h1 --distances d.npy
  cloud d.npy 2 0 nan nan 0
  refused "d.npy: entry (1, 0): a distance of 0 or more expected, got nan" h1 --distances d.npy
  cloud d.npy 2 0 -1 -1 0
  refused "d.npy: entry (1, 0): a distance of 0 or more" dimension --distances d.npy
  cloud d.npy 2 0 1 1 3
  refused "d.npy: entry (1, 1): 0 on the diagonal expected, got 3" h1 --distances d.npy
  cloud d.npy 2 0 inf inf 0
  refused "d.npy: entry (1, 0): a finite distance expected, got inf" gw --distances d.npy d.npy

  echo 0,1 >ok.csv
  for line in '1' '1 2' '1,2,3' '1,x' '2,1' 'nan,nan' 'inf,inf'; do
    printf '0,1\n%s\n' "$line" >bad.csv
    refused "bad.csv: line 2: " w2 ok.csv bad.csv
  done

  refused "either POINTS.npy or --distances" h1
  refused "either POINTS.npy or --distances" h1 x.npy --distances x.npy
  refused "either POINTS.npy or --distances" dimension
  refused "--metric" h1 x.npy --metric manhattan
  refused "rho" gw x.npy x.npy --metric hyperbolic --rho 1
  refused "curvature" work x.npy x.npy --curvature 0
  refused "--threshold" h1 x.npy --threshold nan
  refused "--memory-limit" h1 x.npy --memory-limit much
  refused "--norm" w2 ok.csv ok.csv --norm l1
  refused "nowhere/bars.csv" h1 x.npy --out nowhere/bars.csv
  refused "/dev/null" h1 x.npy --out /dev/null
  refused ".svg" w2 ok.csv ok.csv --plot picture.png
  refused "nowhere/picture.svg" h1 x.npy --plot nowhere/picture.svg
  [ -z "$(find . -name '*.partial*')" ] || fail "bad input must leave nothing behind"
}

test_geometry_figures() {
  polygon x.npy 6
  polygon y.npy 5
  : >empty.csv
  if ! command -v gnuplot >/dev/null; then
    refused "gnuplot" h1 x.npy --plot h1.svg
    return
  fi
  "$tailor" h1 x.npy --threshold 1.5 --out x.csv --plot h1.svg >/dev/null 2>&1
  "$tailor" h1 y.npy --out y.csv --plot h1.svg >/dev/null 2>&1
  for figure in 'h1 x.npy' 'h1 x.npy --threshold 1.5' 'h1 x.npy --threshold 0.5' 'w2 x.csv x.csv' \
    'w2 x.csv y.csv' 'w2 empty.csv y.csv' 'w2 empty.csv empty.csv' 'gw x.npy y.npy' \
    'gw x.npy x.npy'; do
    rm -f figure.svg
    # shellcheck disable=SC2086
    "$tailor" $figure --plot figure.svg >out.txt 2>err.txt || fail "tailor $figure: $(cat err.txt)"
    grep -q '</svg>' figure.svg || fail "a picture expected from: tailor $figure"
  done
}

test_"$3"
