#!/usr/bin/env bash
# Searches all states of step_protocol.pml with Spin.
#   check.sh                 the protocol must hold: no promise broken, no deadlock, no endless loop
#   check.sh --troubles N    with N disturbances in place of 2 (3: 2 GB), without the endless loops
#   check.sh --break SWITCH  the protocol broken on purpose must be found out
set -euo pipefail
model=$(cd "$(dirname "$0")" && pwd)/step_protocol.pml
broken=""
defines=()
loops=yes
while [[ $# -gt 0 ]]; do
  case "$1" in
    --troubles) defines+=("-DTROUBLES=$2"); loops=no; shift 2 ;;
    --break) broken=$2; defines+=("-D$2"); shift 2 ;;
    *) echo "check.sh: unknown argument $1" >&2; exit 2 ;;
  esac
done
if ! command -v spin > /dev/null; then
  echo "SKIPPED: spin is not installed; deploy/setup.sh --with-tests installs it"
  exit 77
fi
if [[ -n $broken ]] && ! grep -q "^#ifn\?def $broken\$" "$model"; then
  echo "check.sh: the model knows no switch $broken" >&2
  exit 2
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$model" model.pml
spin -a "${defines[@]}" model.pml

# pan's own exit code does not tell a violation from a search that ended well.
search() {
  local report=$1
  shift
  gcc -O2 -w -DMEMLIM=2500 "$1" -o pan pan.c
  shift
  ./pan -m100000 "$@" > "$report"
  if grep -qE "max search depth too small|reached -DMEMLIM|out of memory" "$report" ||
     ! grep -q "errors:" "$report"; then
    echo "check.sh: the search did not come to its end" >&2
    cat "$report" >&2
    exit 1
  fi
}
states() { sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' "$1"; }
clean() { grep -q "errors: 0" "$1"; }

search safety -DSAFETY
if [[ -n $broken ]]; then
  if clean safety; then
    echo "spin: $broken was not found out in $(states safety) states" >&2
    exit 1
  fi
  echo "spin: $broken found out: $(grep -m1 -E "^pan:1:" safety)"
  exit 0
fi
if ! clean safety; then
  grep -E "^pan:" safety >&2
  spin "${defines[@]}" -t -p -g model.pml | tail -n 60 >&2
  exit 1
fi
if [[ $loops == no ]]; then
  echo "spin: $(states safety) states, verified"
  exit 0
fi
# Nothing is marked as progress, so every loop counts as a run without end.
search loops -DNP -l
if ! clean loops; then
  echo "spin: a run that never ends" >&2
  exit 1
fi
echo "spin: $(states safety) states, verified; $(states loops) searched for runs without end, none"
