#!/bin/sh
# Tests of the program tailor, from outside.   sh check.sh TAILOR WORK_FOLDER TEST
# TEST is one of the functions below whose names begin with test_.
. "$(dirname "$0")/support.sh"

# Sums such as 17+25=42 in an order without a pattern: 60 kB of text with something to learn.
write_text() {
  awk 'BEGIN { x = 1; for (i = 0; i < 6500; ++i) { x = (x * 69069 + 1) % 4294967296;
       a = int(x / 67108864); b = int(x / 1048576) % 64; print a "+" b "=" a + b } }' >text.txt
}

tokens=12k
model="--d-model 16 --layers 4 --heads 2 --width 32 --context 32"
small="$model --sequences 4 --samples 2 --cloud-tokens 48 --pool 256 --evaluation-windows 16"
small_fit() { # OUT [FLAG...]
  out=$1
  shift
  # shellcheck disable=SC2086
  "$tailor" fit --text text.txt --out "$out" $small --tokens "$tokens" "$@"
}

losses() { grep -E '"(test|validation)_loss"' "$1/results.json"; }

test_fit() {
  write_text
  choice="--seeds 1-2 --rules uniform,cosine-taper,topological/hyperbolic"
  choice="$choice,anti:topological/hyperbolic,hourglass@1,random@1"
  # shellcheck disable=SC2086
  small_fit fit $choice >table.txt 2>progress.txt
  for file in fit.json profile.json widths.hpp results.json report.html reference/log.jsonl \
    rules/topological-hyperbolic/plan.json rules/topological-hyperbolic/seed-2/log.jsonl \
    rules/hourglass/plan.json rules/random/seed-1/plan.json; do
    [ -s "fit/$file" ] || fail "fit/$file expected"
  done
  [ ! -e fit/rules/hourglass/seed-2 ] || fail "hourglass@1 takes the first seed only"
  grep -q 'Too few seeds for a verdict' table.txt || fail "no verdict expected from two seeds"
  grep -q 'topological/hyperbolic' table.txt || fail "a row per rule expected"
  grep -q '<!doctype html>' fit/report.html || fail "a page expected"
  if command -v gnuplot >/dev/null; then
    [ "$(grep -o 'data:image/svg' fit/report.html | wc -l)" = 6 ] || fail "six figures expected"
  fi
  ! grep -q 'https\{0,1\}://' fit/report.html || fail "the report must be one file"
  ! grep -qi 'nan\b' fit/results.json fit/profile.json || fail "no number may be undefined unsaid"

  # The same again does nothing but show the same.
  # shellcheck disable=SC2086
  small_fit fit $choice >again.txt 2>/dev/null
  cmp table.txt again.txt || fail "a finished fit must show the same table"
  cp fit/report.html report.before
  "$tailor" report --out fit >/dev/null
  [ -s fit/report.html ] || fail "a report expected"

  # Samples are added, and massive tokens kept, where it is asked.
  # shellcheck disable=SC2086
  small_fit stable --seeds 1 --rules shift/raw --until 0.9 --keep-massive >/dev/null 2>&1
  grep -q '"criterion": "width-error"' stable/profile.json || fail "a criterion expected"
  grep -q 'The profile is \(not \)*stable' stable/report.html || fail "the report says so"

  # Other choices do not mix into the folder.
  # shellcheck disable=SC2086
  refused "another rules" fit --text text.txt --out fit $small --tokens 12k --seeds 1-2 \
    --rules uniform
  # shellcheck disable=SC2086
  refused "another text" fit --text text.txt --out fit $small --tokens 12k $choice --validation 0.2
  echo "more" >>text.txt
  # shellcheck disable=SC2086
  refused "another text" fit --text text.txt --out fit $small --tokens 12k $choice
}

test_resume() {
  write_text
  flags="--seeds 1-3 --rules uniform,topological/spherical"
  tokens=40k
  # shellcheck disable=SC2086
  small_fit whole $flags >/dev/null 2>&1
  # shellcheck disable=SC2086
  "$tailor" fit --text text.txt --out parts $small --tokens $tokens $flags >/dev/null 2>first.txt &
  pid=$!
  tries=0
  until [ -e parts/rules/uniform/seed-1/checkpoint.tailor ] || [ $tries -gt 600 ]; do
    sleep 0.05
    tries=$((tries + 1))
  done
  kill -INT $pid
  code=0
  wait $pid || code=$?
  [ $code = 130 ] || fail "exit code 130 expected after an interrupt, got $code: $(cat first.txt)"
  grep -q 'the same command continues' first.txt || fail "how to go on expected"
  # shellcheck disable=SC2086
  small_fit parts $flags >/dev/null 2>&1
  losses whole >whole.txt
  losses parts >parts.txt
  [ -s whole.txt ] || fail "losses expected"
  cmp whole.txt parts.txt || fail "an interrupted and continued fit must have the bits of a whole one"
}

test_rates() {
  write_text
  small_fit diverging --seeds 1-2 --rules uniform --lr 3e-3,1e7 >table.txt 2>/dev/null
  grep -q 'uniform diverged at the rate' table.txt || fail "a rate that diverged is told"
  grep -q 'learning_rate": 0.003' diverging/results.json || fail "the rate that did not is taken"
  small_fit fit --seeds 1-2 --rules uniform --lr 1e-5,3e-3 >table.txt 2>/dev/null
  grep -q 'its optimum may lie beyond the grid' table.txt || fail "an optimum at the edge is told"
}

test_identical_rules() {
  write_text
  echo "32 32 32 32" >widths.txt
  small_fit fit --seeds 1-2 --rules uniform,oracle:widths.txt >table.txt 2>/dev/null
  grep -q 'uniform = oracle:widths.txt' table.txt || fail "identical plans are shown as one"
  [ ! -e fit/rules/oracle-widths.txt/seed-1 ] || fail "identical plans run once"
}

# clouds FOLDER MASSIVE: four layers of 80 tokens; token 5 of the last two is MASSIVE times as long.
clouds() {
  mkdir "$1"
  for layer in 0 1 2 3; do
    for side in before after; do
      awk -v layer=$layer -v side=$side -v massive="$2" 'BEGIN { x = 7 + layer
        for (i = 0; i < 80; ++i) {
          for (j = 0; j < 6; ++j) {
            x = (x * 69069 + 1) % 4294967296
            value = 3 + (x / 4294967296 - 0.5) * (1 + (side == "after") * (layer + 1) / 9)
            print (i == 5 && layer > 1) ? value * massive : value
          }
        } }' | "$write_npy" "$1/layer_0${layer}_$side.npy" f4 6
    done
  done
}

# shellcheck disable=SC2086
test_profile() {
  clouds plain 1
  clouds massive 5000
  few="--samples 3 --cloud-tokens 20"
  "$tailor" profile --clouds plain $few --until 0.9 --width 64 --out plain.json >plain.txt \
    2>/dev/null
  grep -q '"criterion": "width-error"' plain.json || fail "few layers are judged by widths"
  grep -qE '^(not )?stable: largest standard error of a width' plain.txt || fail "a verdict"
  "$tailor" profile --clouds plain $few --until 0.9 --width 3072 --statistics topological/raw \
    --out unstable.json >unstable.txt 2>/dev/null
  grep -q '"status": "not stable"' unstable.json || fail "widths this fine cannot settle"
  grep -q '^not stable: .* after 40 samples' unstable.txt || fail "at most 40 samples"
  refused "--width" profile --clouds plain $few --until 0.9
  refused "--until" profile --clouds plain $few --until 1.5
  refused "no statistic" profile --clouds plain --statistics shift

  "$tailor" profile --clouds massive $few --out without.json >without.txt 2>/dev/null
  grep -q 'left out as massive.* 1 tokens: 5$' without.txt || fail "token 5 is massive"
  [ ! -e without-without-massive.json ] || fail "nothing was kept"
  "$tailor" profile --clouds massive --cloud-tokens 20 --samples 12 --keep-massive \
    --out kept.json >kept.txt 2>/dev/null
  [ -s kept-without-massive.json ] || fail "both profiles expected"
  grep -qE '^layer 0[23] +distortion/raw' kept.txt || fail "a difference: $(cat kept.txt)"
  ! grep -qE '^layer 0[01] +distortion/raw' kept.txt || fail "no massive token there"
  "$tailor" profile --clouds plain $few --keep-massive --out alone.json >plain.txt 2>/dev/null
  ! grep -q 'massive' plain.txt || fail "there is none"
  [ ! -e alone-without-massive.json ] || fail "one profile expected"
}

test_one_model() {
  write_text
  # shellcheck disable=SC2086
  "$tailor" train --text text.txt --out model $model --tokens 40k >train.txt 2>/dev/null
  "$tailor" evaluate --checkpoint model/checkpoint.tailor --text text.txt --split test >one.txt
  "$tailor" evaluate --checkpoint model/checkpoint.tailor --text text.txt --split test \
    --sequences 3 >three.txt
  cmp one.txt three.txt || fail "an evaluation must not depend on the batch"
  "$tailor" sample --checkpoint model/checkpoint.tailor --prompt "1+" --tokens 20 --seed 3 >s1.txt
  "$tailor" sample --checkpoint model/checkpoint.tailor --prompt "1+" --tokens 20 --seed 3 >s2.txt
  cmp s1.txt s2.txt || fail "one seed gives one sample"
  "$tailor" profile --checkpoint model/checkpoint.tailor --text text.txt --samples 2 \
    --cloud-tokens 48 --pool 256 --out profile.json >profile.txt 2>/dev/null
  grep -q 'reliability' profile.txt || fail "reliabilities expected"
  "$tailor" allocate --profile profile.json --plan model/plan.json --out tailored >/dev/null
  [ -s tailored/widths.hpp ] && [ -s tailored/plan.json ] || fail "a header and a plan expected"
  "$tailor" allocate --profile profile.json --plan model/plan.json --rule anti:shift/raw --json |
    grep -q '"widths"' || fail "JSON expected"
  "$tailor" train --text text.txt --out tailored-model --plan tailored/plan.json --tokens 4k \
    >/dev/null 2>&1

  # Another model, seed or split does not mix into a folder, finished or not.
  cp model/plan.json plan.before
  for other in "--untied" "--seed 9" "--validation 0.3" "--weight-decay 0.2"; do
    # shellcheck disable=SC2086
    code=0
    "$tailor" train --text text.txt --out model --d-model 16 --heads 2 --width 32 --context 32 \
      --layers 4 --tokens 40k $other >/dev/null 2>err.txt || code=$?
    [ $code = 2 ] || fail "train $other into a finished folder: exit code 2 expected, got $code"
  done
  cmp plan.before model/plan.json || fail "a refused training must not touch plan.json"
  "$tailor" allocate --profile profile.json --d-model 16 --layers 4 --heads 2 --width 32 \
    --context 32 --out by-sizes >/dev/null
  cmp by-sizes/widths.hpp tailored/widths.hpp || fail "sizes must stand for the plan"

  head -c 5000 model/checkpoint.tailor >cut.tailor
  refused "cut.tailor" evaluate --checkpoint cut.tailor --text text.txt
  head -c 20 text.txt >tiny.txt
  refused "tokens" train --text tiny.txt --out tiny $model
  [ ! -e tiny/checkpoint.tailor ] || fail "nothing is written for a text that is too small"
}

test_bad_input() {
  write_text
  refused "--out" fit --text text.txt
  refused "nowhere" fit --text nowhere --out out
  refused "no rule" fit --text text.txt --out out --rules topologic/hyperbolic
  refused "did you mean" fit --text text.txt --out out --rules unifrom
  refused "twice" fit --text text.txt --out out --rules uniform,uniform
  refused "--seeds" fit --text text.txt --out out --seeds 3-1
  refused "--seeds" fit --text text.txt --out out --seeds 1-
  refused "--lr" fit --text text.txt --out out --lr 1e-3,x
  refused "--minutes" fit --text text.txt --out out --minutes 0
  refused "--hold-out" fit --text text.txt --out out --hold-out chapters
  refused "heads" fit --text text.txt --out out --heads 3
  refused "--activation" fit --text text.txt --out out --activation tanh
  refused "unknown.json" train --text text.txt --out out --plan unknown.json
  echo '{"format": 1' >broken.json
  refused "broken.json" train --text text.txt --out out --plan broken.json
  echo '{"format": 7}' >later.json
  refused "format" train --text text.txt --out out --plan later.json
  refused "either --checkpoint" profile --text text.txt
  refused "nowhere" profile --clouds nowhere
  mkdir clouds
  refused "found none" profile --clouds clouds
  echo "no array" >clouds/layer_00_before.npy
  refused "layer_00_after.npy" profile --clouds clouds
  cp clouds/layer_00_before.npy clouds/layer_00_after.npy
  refused "layer_00_before.npy" profile --clouds clouds
  refused "not" evaluate --checkpoint text.txt --text text.txt
  refused "results.json" report --out clouds
  refused "--target" plan --target many
  refused "layers" plan --target 1M --layers 9-3
  refused "frobnicate" frobnicate
  refused "--seeds" fit --text text.txt --out out --seeds 18446744073709551610-18446744073709551615x
  refused "both parts" fit --text text.txt --out out --test 0
  refused "twice" fit --text text.txt --out out --lr 1e-3,0.001
  refused "twice" fit --text text.txt --out out --rules random,random:topological/hyperbolic
  refused "missing.txt" fit --text text.txt --out out --rules oracle:missing.txt
  refused "--minutes" fit --text text.txt --out out --minutes 0.01
  refused "empty value" fit --text text.txt --out out --heads ""
  refused "--seed" train --text text.txt --out out --seed -1
  refused "--vocab" train --text text.txt --out out --vocab 2147483647
  refused "a folder is expected" fit --text text.txt --out text.txt
  refused "does not exist" profile --clouds clouds --out nowhere/profile.json
  [ ! -e out ] || fail "bad input must leave nothing behind"
  for command in fit train profile allocate evaluate sample plan report work h1 w2 gw dimension; do
    "$tailor" $command --help >help.txt
    grep -q 'Example:' help.txt || fail "an example expected in tailor $command --help"
  done
}

test_"$3"
