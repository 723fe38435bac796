#!/bin/sh
# Makes docs/pictures/delay.svg from four runs of delay.yaml. Usage: delay.sh [trestle]
# The same program gives the same picture, byte for byte. Needs gnuplot.
set -eu
trestle=${1:-trestle}
here=$(cd "$(dirname "$0")" && pwd)
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT

# name, actuator, compensator
one_run() {
  "$trestle" run "$here/delay.yaml" --out "$runs/$1" \
    --set "sites.lab.rig.actuators=[$2]" --set "sites.lab.compensator=$3" >"$runs/$1.log"
  "$trestle" export "$runs/$1" --csv "$runs/$1.csv" >>"$runs/$1.log"
}
late='{kind: delay, delay: 10 ms}'
one_run ideal      ideal   none
one_run none       "$late" none
one_run polynomial "$late" '{kind: polynomial, delay: 10 ms}'
one_run ats        "$late" '{kind: ats, expected_delay: 7 ms}'

cd "$runs"
gnuplot "$here/delay.gp" >"$here/delay.svg"
