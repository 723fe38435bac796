#!/bin/sh
# Makes docs/pictures/vehicle_bridge.svg, vehicle_bridge_force.svg and vehicle_bridge_rough.svg from four runs of
# examples/vehicle_bridge, without noise so that the interaction force can be seen.
# Usage: vehicle_bridge.sh [trestle]. The same program gives the same pictures, byte for byte.
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
    --set 'sites.table.rig.specimen.accelerometer_noise=0 m/s2' >"$runs/log"
}
one_run not_compensated case2         none
one_run ats_and_lqg     case2         ats_lqg
one_run without_preview case5         ats_lqg
one_run with_preview    case5_preview ats_lqg

cd "$runs"
wheel=table.wheel.y
"$trestle" export not_compensated --over ats_and_lqg --from 1 --to 3.7 \
  --columns "1:$wheel.target_m,$wheel.measured_m" --svg "$here/vehicle_bridge.svg"
"$trestle" export not_compensated --over ats_and_lqg --from 1 --to 3.7 \
  --columns "1:reference.wheel.y.force_N,$wheel.force_N" --svg "$here/vehicle_bridge_force.svg"
"$trestle" export without_preview --over with_preview --from 2 --to 3 \
  --columns "1:reference.wheel.y.force_N,$wheel.force_N" --svg "$here/vehicle_bridge_rough.svg"
