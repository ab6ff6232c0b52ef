#!/bin/sh
# Fetches a text to train on from a Debian package, without root and without installing it.
#   sh examples/corpus.sh austen DIR   six novels by Jane Austen, 4 MB, from r-cran-janeaustenr
#   sh examples/corpus.sh perl DIR     the Perl documentation, 9 MB, from perl-doc
# DIR appears at once with all its UTF-8 .txt files, or not at all; a second call changes nothing.
set -eu

stop() {
  echo "corpus.sh: $*" >&2
  exit 1
}

[ $# -eq 2 ] || stop "usage: corpus.sh austen|perl DIR"
corpus=$1
target=${2%/}
case "$corpus" in
  austen) package=r-cran-janeaustenr witness=sense_and_sensibility.txt ;;
  perl) package=perl-doc witness=perlfunc.txt ;;
  *) stop "unknown text '$corpus'; the texts are austen and perl" ;;
esac

if [ -s "$target/$witness" ]; then
  echo "$target holds the text already"
  exit 0
fi
[ ! -e "$target" ] || rmdir "$target" 2>/dev/null ||
  stop "$target exists and is neither this text nor an empty folder; name another one"

for tool in apt-get dpkg-deb perl; do
  command -v "$tool" >/dev/null 2>&1 || stop "$tool is needed and was not found"
done
perl -MCompress::Raw::Zlib -e 1 2>/dev/null ||
  stop "the perl module Compress::Raw::Zlib is needed (Debian: perl)"

mkdir -p "$(dirname "$target")"
work=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/download" "$work/unpacked" "$work/text"

# The system's package lists may be absent, and only root can write them: then lists of our own.
download() {
  (cd "$work/download" && apt-get -qq -o APT::Sandbox::User=root "$@" download "$package")
}
if ! download 2>"$work/log"; then
  mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
  own="-o Dir::State::Lists=$work/apt/lists -o Dir::Cache=$work/apt/cache"
  # Unquoted on purpose: a list of words, and mktemp made the path.
  { apt-get -qq -o APT::Sandbox::User=root $own update && download $own; } 2>>"$work/log" ||
    stop "the package $package could not be downloaded: $(cat "$work/log")"
fi
dpkg-deb -x "$work"/download/*.deb "$work/unpacked"

case "$corpus" in
  austen)
    # R's lazy-load file: one chunk per novel, each a big-endian length and a zlib stream. Inside, R's
    # XDR serialisation of a character vector: type 16 and a count, then per line a word of flags
    # whose low byte is 9, a length (-1 for a missing string), and the bytes.
    perl -w - "$(find "$work/unpacked" -path '*/data/Rdata.rdb')" "$work/text" <<'PERL'
use strict;
use Compress::Raw::Zlib;
my ($file, $folder) = @ARGV;
open my $in, '<:raw', $file or die "$file: $!\n";
my $rest = do { local $/; <$in> };
while (length $rest) {
  my $size = unpack 'N', substr $rest, 0, 4, '';
  my $inflate = Compress::Raw::Zlib::Inflate->new;
  my $status = $inflate->inflate($rest, my $data);
  $status == Z_STREAM_END && length $data == $size or die "$file: a chunk is not a whole zlib stream\n";
  my $position = index $data, pack 'N', 16;
  die "$file: a chunk holds no character vector\n" if $position < 0;
  my $count = unpack 'N', substr $data, $position + 4, 4;
  $position += 8;
  my @lines;
  for (1 .. $count) {
    my ($flags, $length) = unpack 'N l>', substr $data, $position, 8;
    die "$file: a line is not a string\n" if ($flags & 255) != 9;
    $length = 0 if $length < 0;
    push @lines, substr $data, $position + 8, $length;
    $position += 8 + $length;
  }
  my ($title) = grep { /\S/ } @lines or next;
  (my $name = lc $title) =~ s/\W+/_/g;
  $name =~ s/^_|_$//g;
  open my $out, '>:raw', "$folder/$name.txt" or die "$folder/$name.txt: $!\n";
  print $out map { "$_\n" } @lines;
  close $out or die "$folder/$name.txt: $!\n";
}
PERL
    ;;
  perl)
    find "$work/unpacked" -name '*.pod' | while read -r pod; do
      # A page that is not UTF-8 is Latin-1.
      perl -MEncode -0777 -ne 'my $copy = $_;
        print eval { Encode::decode("UTF-8", $copy, 1); 1 } ? $_ : Encode::encode("UTF-8", $_)' \
        "$pod" >"$work/text/$(basename "$pod" .pod).txt"
    done
    ;;
esac

[ -s "$work/text/$witness" ] || stop "$package does not hold the text in the expected form"
mv "$work/text" "$target"
echo "$target: $(ls "$target" | wc -l) files, $(cat "$target"/*.txt | wc -c) bytes"
