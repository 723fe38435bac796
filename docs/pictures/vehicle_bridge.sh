#!/bin/sh
# Makes docs/pictures/vehicle_bridge.svg from four runs of examples/vehicle_bridge, without noise so that
# the interaction force can be seen. Usage: vehicle_bridge.sh [trestle]
# The same program gives the same picture, byte for byte. Needs gnuplot.
set -eu
trestle=${1:-trestle}
here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../../examples/vehicle_bridge
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT

# name, file, compensator
one_run() {
  "$trestle" run "$examples/$2.yaml" --out "$runs/$1" \
    --set "sites.table.compensator.kind=$3" --set 'sites.table.rig.noise[0].displacement=0 m' \
    --set 'sites.table.rig.specimen.accelerometer_noise=0 m/s2' >"$runs/$1.log"
  "$trestle" export "$runs/$1" --csv "$runs/$1.csv" >>"$runs/$1.log"
}
one_run none    case2         none
one_run both    case2         ats_lqg
one_run rough   case5         ats_lqg
one_run preview case5_preview ats_lqg

cd "$runs"
gnuplot "$here/vehicle_bridge.gp" >"$here/vehicle_bridge.svg"
