#!/usr/bin/env bash
# Makes docs/explanation/vehicle-bridge.md: the cases of examples/vehicle_bridge with every compensator.
#   deploy/vehicle_bridge.sh > docs/explanation/vehicle-bridge.md
set -euo pipefail
cd "$(dirname "$0")/.."
trestle=build/release/cli/trestle
folder=examples/vehicle_bridge
results=criteria.rmse,criteria.delay_s,criteria.force_error
cases=()
for number in 1 2 3 5 7 8; do cases+=("$folder/case$number.yaml"); done

compare() { "$trestle" compare --markdown "$@" --results "$results"; }

sed -n '1,/^<!-- tables -->$/p' docs/explanation/vehicle-bridge.in.md
for kind in none fixed_inverse ats lqg ats_lqg legacy_filtered_command; do
  printf '\n## %s\n\n' "$kind"
  compare "${cases[@]}" --set "sites.table.compensator.kind=$kind"
done
printf '\n## Case 5 with preview: ats_lqg, and on the bare table ats\n\n'
compare "$folder/case5_preview.yaml"
printf '\n'
compare "$folder/case5_preview.yaml" --set sites.table.compensator.kind=ats
for wrong in loop_gain=20 loop_gain=30 'oil_frequency=21.25 Hz' 'oil_frequency=28.75 Hz' oil_damping=0.2; do
  printf '\n## A table with %s: case 2 and case 5 with preview, ats_lqg\n\n' "$wrong"
  compare "$folder/case2.yaml" "$folder/case5_preview.yaml" --set "sites.table.rig.actuators[0].$wrong"
done
for samples in 1 2 3; do
  printf '\n## Latency of %s samples that the design knows, ats_lqg\n\n' "$samples"
  compare "$folder/case2.yaml" --set "sites.table.rig.latency_samples=$samples" \
    --set "sites.table.compensator.lqg.latency_samples=$samples"
done
