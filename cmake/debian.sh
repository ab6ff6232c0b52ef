# Installs what a purpose needs on Debian or Ubuntu. To be sourced:
#   . cmake/debian.sh && tailor_install build test
# apt is asked only where something is missing. Elsewhere than on Debian nothing is installed, and
# CMake says what it does not find.

# One list per purpose, the same names on Debian 12 and later.
tailor_packages() {
  case "$1" in
    build) # the library's dependencies, the program and its figures
      echo "g++ cmake ninja-build nlohmann-json3-dev libboost-dev libcli11-dev" \
        "libfmt-dev gnuplot-nox"
      ;;
    test) # tests, benchmarks and a second compiler
      echo "catch2 libeigen3-dev libbenchmark-dev clang clang-format"
      ;;
    corpus) # examples/corpus.sh unpacks a text with it
      echo "perl"
      ;;
  esac
}

tailor_missing_packages() {
  for purpose in "$@"; do
    for package in $(tailor_packages "$purpose"); do
      case "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" in
        *" ok installed") ;;
        *) echo "$package" ;;
      esac
    done
  done
}

# Fails, saying what is missing, where it may not install.
tailor_install() {
  if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
    echo "No apt here: taking it that these, or your system's names for them, are installed:"
    for purpose in "$@"; do tailor_packages "$purpose"; done
    return 0
  fi
  missing=$(tailor_missing_packages "$@" | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -eq 0 ]; then
    as_root="env"
  elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n env"
  else
    echo "Missing packages, and neither root nor a password-less sudo to install them. Please run:" >&2
    echo "  apt-get install --no-install-recommends $missing" >&2
    return 1
  fi
  echo "Installing: $missing"
  # Unquoted on purpose: both are lists of words.
  $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq update </dev/null &&
    $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
      -o Dpkg::Use-Pty=0 install $missing </dev/null >/dev/null
}
