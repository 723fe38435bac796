#!/bin/sh
# Makes docs/pictures/delay.svg and delay_difference.svg from four runs of delay.yaml. Usage: delay.sh [trestle]
# The same program gives the same pictures, byte for byte.
set -eu
trestle=${1:-trestle}
here=$(cd "$(dirname "$0")" && pwd)
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT

# name, actuator, compensator
one_run() {
  "$trestle" run "$here/delay.yaml" --out "$runs/$1" \
    --set "sites.lab.rig.actuators=[$2]" --set "sites.lab.compensator=$3" >"$runs/log"
}
late='{kind: delay, delay: 10 ms}'
one_run ideal      ideal   none
one_run late       "$late" none
one_run polynomial "$late" '{kind: polynomial, delay: 10 ms}'
one_run ats        "$late" '{kind: ats, expected_delay: 7 ms}'

cd "$runs"
"$trestle" export late --over ideal --columns floor.x.disp_m --svg "$here/delay.svg"
"$trestle" export late --over ats --over polynomial --less ideal --log --columns floor.x.disp_m \
  --svg "$here/delay_difference.svg"
