#!/bin/sh
# Runs a compiler. Beside a precompiled header that it makes, writes its checksum: ccache reads that for each source
# that uses the header, in place of a quarter of a gigabyte.
header=
for word in "$@"; do
  case $word in *.gch) header=$word ;; esac
done
[ -z "$header" ] || rm -f "$header.sum"
"$@" || exit
[ -z "$header" ] || b2sum < "$header" > "$header.sum"
