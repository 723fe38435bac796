#!/bin/sh
# Makes docs/pictures/characterise.svg from one characterisation of the benchmark's rig.
# Usage: characterise.sh [trestle]. The same program gives the same picture. Needs python3.
set -eu
trestle=${1:-trestle}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$trestle" characterise "$here/../../examples/marths/site_bay.yaml" --report report.html \
  --set characterise.coupled=true >/dev/null
python3 "$here/picture_of_report.py" report.html "Matrix of responses" >"$here/characterise.svg"
