#!/bin/sh
# Makes docs/pictures/characterise.svg from one characterisation of the benchmark's rig.
# Usage: characterise.sh [trestle]. The same program gives the same picture. Needs gnuplot and python3.
set -eu
trestle=${1:-trestle}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$trestle" characterise "$here/../../examples/marths/site_bay.yaml" --json \
  --set characterise.coupled=true >found.json
python3 - <<'P'
import cmath, json
found = json.load(open("found.json"))
entries = {"11": found["actuators"][0], "22": found["actuators"][1]}
entries.update({f"{e['to']}{e['from']}": e for e in found["coupling"]})
for name, entry in entries.items():
    with open(name + ".txt", "w") as file:
        before = 0.0
        for point in entry["response"]:
            measured, fitted = (complex(*point[key]) for key in ("measured", "fitted"))
            phase = cmath.phase(fitted)
            while phase > before + cmath.pi:
                phase -= 2 * cmath.pi
            before = phase
            print(point["frequency_hz"], abs(measured), abs(fitted),
                  57.29578 * (phase + cmath.phase(measured / fitted)), 57.29578 * phase,
                  file=file)
P
gnuplot "$here/characterise.gp" >"$here/characterise.svg"
