#!/usr/bin/env bash
# The 10,000 uncertain plants of the NARX study, three methods: runs the campaigns (again: continues them) and prints their tables.
#   deploy/uncertain_plants.sh RECORDS FOLDER > tables.md      (TRESTLE=PROGRAM: another build; RUNS=N: fewer plants)
# RECORDS: the folder of elcentro.csv. FOLDER takes the campaigns. Minutes on a machine with AVX2, whose lanes they use.
set -euo pipefail
records=$(cd "${1:?say where the records are}" && pwd)
mkdir -p "${2:?say where the campaigns shall be}"
folder=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
trestle=${TRESTLE:-build/release/cli/trestle}
for method in none narx_case04 narx_case14; do
  "$trestle" campaign "examples/robustness/published_$method.yaml" --set "excitation.record=$records/elcentro.csv" \
    --out "$folder/$method" ${RUNS:+--runs "$RUNS"} >&2
done
sets=("No compensation=$folder/none" "NARX, case 4=$folder/narx_case04" "NARX, case 14=$folder/narx_case14")
exec python3 docs/generate/uncertain_plants.py "${sets[@]}"
