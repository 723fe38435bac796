#!/usr/bin/env bash
# Draws the coefficients of an adaptive method over El Centro and Kobe, as `trestle report` draws them.
#   docs/pictures/coefficients.sh PROGRAM RECORDS      RECORDS: the folder of elcentro.csv and kobe.csv
set -euo pipefail
program=$(realpath "${1:?say which program}")
records=$(realpath "${2:?say where the records are}")
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for method in kalman narx adm; do
  for record in elcentro kobe; do
    "$program" run "examples/marths/$method.yaml" --out "$scratch/$method.$record" \
      --set "excitation.record=$records/$record.csv" --set recording.coefficients=true --set recording.ticks=64 > "$scratch/run.log" ||
      { cat "$scratch/run.log"; exit 1; }
    "$program" report "$scratch/$method.$record" --out "$scratch/report.html" > "$scratch/report.log" ||
      { cat "$scratch/report.log"; exit 1; }
    docs/pictures/picture_of_report.py "$scratch/report.html" "Coefficients of the compensator" \
      > "docs/pictures/coefficients_${method}_$record.svg"
  done
done
