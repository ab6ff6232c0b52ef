# What the tests of the program share; a script sources it, then calls its test.   sh SCRIPT TAILOR
# WORK_FOLDER TEST [WRITE_NPY]
set -eu
tailor=$1
work=$2/$3
write_npy=${4:-}
trap '[ $? = 0 ] || echo "stopped without a message" >&2' EXIT
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# refused "part of the message" arguments...: exit code 2, one line that says so, nothing on stdout.
refused() {
  expected=$1
  shift
  code=0
  "$tailor" "$@" >out.txt 2>err.txt || code=$?
  [ "$code" = 2 ] || fail "exit code 2 expected, got $code, from: tailor $*"
  grep -qF -- "$expected" err.txt || fail "\"$expected\" expected, got: $(cat err.txt)"
  [ "$(grep -c '^tailor: ' err.txt)" = 1 ] || fail "one message expected, got: $(cat err.txt)"
  [ ! -s out.txt ] || fail "nothing on standard output expected from: tailor $*"
}
