#!/usr/bin/env bash
# docs/methods.md says what today's program says: every table is made again, and everything but the processor
# times must be the same, digit by digit.
#   methods_page.sh SOURCES PROGRAM
set -euo pipefail
cd "$1"
records=../shared/data
for record in elcentro kobe morgan; do
  if [ ! -f "$records/$record.csv" ]; then
    echo "SKIPPED: no $record.csv beside the sources ($records)"
    exit 0
  fi
done
without_times() { grep -v '^| CPU per tick '; }
made=$(mktemp)
trap 'rm -f "$made"' EXIT
TRESTLE=$2 deploy/methods.sh "$records" | without_times > "$made"
if ! without_times < docs/methods.md | diff - "$made"; then
  echo "docs/methods.md (<) is not what the program says (>): run deploy/methods.sh, and read what changed"
  exit 1
fi
