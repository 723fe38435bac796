#!/usr/bin/env bash
# Makes the tables of docs/explanation/methods-compared.md: every method on the multi-axial benchmark.
#   deploy/methods.sh RECORDS > docs/explanation/methods-compared.md      (TRESTLE=PROGRAM: another build)
# RECORDS: the folder of elcentro.csv, kobe.csv and morgan.csv. Took nine minutes on two cores; the machine should
# have nothing else to do, for the sake of the times per tick. SEEDS=N, PLANTS=N: fewer of them, to try it.
set -euo pipefail
records=$(cd "${1:?say where the records are}" && pwd)
cd "$(dirname "$0")/.."
trestle=${TRESTLE:-build/release/cli/trestle}
folder=examples/marths
seeds=${SEEDS:-10}
plants=${PLANTS:-100}

files() { for name in "$@"; do echo "$folder/$name.yaml"; done; }
mapfile -t methods < <(files none inverse polynomial adaptive_polynomial ats conditional_ats narx narx_recursive kalman kalman_extended rodeac adm adfc mpc lqg msmc msmc_published ats_lqg kalman_lqg adm_msmc adfc_lqg perfect)
mapfile -t cases < <(for i in $(seq -w 1 16); do echo "$folder/narx_case$i.yaml"; done)

# The program counts entries from 0 and names them by their place in summary.json.
for_people() {
  sed -E -e 's/criteria\.J(1|4)\[([0-9])\]/J\1 [ms] \2/; s/criteria\.J(10|[0-9])\[([0-9])\]/J\1 [%] \2/' \
    -e '/^\| J4 /d' -e 's/^\| (J[0-9]+ \[[ms%]+\]) 0 /| \1 a /; s/^\| (J[0-9]+ \[[ms%]+\]) 1 /| \1 b /' \
    -e 's/^\| (J[0-9]+ \[[ms%]+\]) 2 /| \1 c /; s/^\| (J[0-9]+ \[[ms%]+\]) 3 /| \1 d /'
}
compare() { "$trestle" compare --markdown "$@" | for_people; }

sed -n '1,/^<!-- tables -->$/p' docs/explanation/methods-compared.in.md
for record in elcentro kobe morgan; do
  printf '\n## %s\n\n' "$record, times 0.4"
  compare "${methods[@]}" --seeds "$seeds" --set "excitation.record=$records/$record.csv"
done
printf '\n## The 16 cases of the NARX study (elcentro)\n\n'
compare "${cases[@]}" --set "excitation.record=$records/elcentro.csv" --results criteria.J1,criteria.J2,criteria.J3
part=0
for setting in "1.0 5" "1.1 4" "1.3 3" "1.0 3"; do
  part=$((part + 1))
  read -r mass ratio <<< "$setting"
  printf '\n## Partition %s (elcentro): masses times %s, damping %s %%\n\n' "$part" "$mass" "$ratio"
  compare "${methods[@]}" --seeds "$seeds" --set "excitation.record=$records/elcentro.csv" \
    --set "numerical.matrices.mass.scale=$mass" --set "numerical.matrices.damping.rayleigh.ratio=$ratio %" \
    --results criteria.J1,criteria.J2,criteria.J3,criteria.J5
done
# Actuators a and b move by 2.5 and 5 mm at most.
disturbed() {
  printf '\n## %s\n\n' "$1"
  compare "${methods[@]}" --seeds "$seeds" --set "excitation.record=$records/elcentro.csv" \
    --set "sites.bay.rig.disturbances=$2" --results criteria.J1,criteria.J2,criteria.J3,criteria.J5
}
disturbed "Delay that jumps by 10 ms at 10 s (elcentro)" "{delay_jump: {at: 10 s, by: 10 ms}}"
disturbed "Sensors that drop out for 20 ms in each second (elcentro)" "{dropout: {at: 5 s, duration: 20 ms, every: 1 s}}"
disturbed "Friction of 2 % of the largest stroke (elcentro)" "{friction: [0.05 mm, 0.1 mm]}"

printf '\n## %s uncertain plants (elcentro): median and 95th percentile\n\n' "$plants"
made=$(mktemp --directory)
trap 'rm -rf "$made"' EXIT
sets=()
for file in "${methods[@]}"; do
  name=$(basename "$file" .yaml)
  [[ $name == perfect ]] && continue  # it has no plant
  sed "s|^test: .*|test: $PWD/$file|" "$folder/uncertain_plant.yaml" > "$made/$name.yaml"
  "$trestle" campaign "$made/$name.yaml" --runs "$plants" --set "excitation.record=$records/elcentro.csv" --out "$made/$name" \
    > "$made/$name.log" 2>&1 || { cat "$made/$name.log" >&2; exit 1; }
  sets+=("$name=$made/$name")
done
python3 docs/generate/plant_percentiles.py "${sets[@]}"
