#!/usr/bin/env bash
# The service of a site is confined: systemd calls its exposure at most 3.0 of 10.
#   confinement_test.sh UNIT
set -euo pipefail
if ! command -v systemd-analyze > /dev/null; then echo "SKIPPED: systemd-analyze is not installed"; exit 0; fi
folder=$(mktemp --directory)
trap 'rm -r "$folder"' EXIT
sed 's|@[A-Z_]*BINDIR@|/usr/bin|g' "$1" > "$folder/trestle-site@west.service"
systemd-analyze security --offline=true --threshold=30 "$folder/trestle-site@west.service" | tail -n 1
