#!/bin/sh
# Makes docs/pictures/twin_updating.svg from examples/twin_updating. Usage: twin_updating.sh [trestle]
# The same program gives the same picture, byte for byte.
set -eu
trestle=${1:-trestle}
here=$(cd "$(dirname "$0")" && pwd)
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
"$trestle" run "$here/../../examples/twin_updating/test.yaml" --out "$runs/run" >"$runs/log"
"$trestle" export "$runs/run" --columns damper.stiffness,damper.yield_force,damper.hardening \
  --svg "$here/twin_updating.svg"
