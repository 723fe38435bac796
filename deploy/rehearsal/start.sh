#!/usr/bin/env bash
# What a container of the rehearsal does.
#   start.sh integrator NAME SITE...   runs distributed.yaml, or resumes the unfinished run of this node; refused if that
#                                      one is of another test
#   start.sh resume NAME SITE...       resumes the unfinished run as it was begun, and begins none
#   start.sh site NAME INTEGRATOR      serves site_NAME.yaml; its records go to /results/NAME
#   start.sh link [PROFILE]            relays by link.yaml, with this network instead of the file's
# A node makes its key at its first start, in /keys, and lays its public half into /mine, which the others see as
# /public/NAME and may only read. TRESTLE_NEW_RUN=1: the integrator begins a new run although an unfinished one is there,
# once for each container.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
umask 022

make_key() {
  [[ -e /keys/$1.key ]] || trestle keygen "$1" --out /keys > /dev/null
  cp /keys/"$1".pub /mine/"$1".new
  mv /mine/"$1".new /mine/"$1".pub
}

# The key of another node, as soon as it is there; YAML in quotes. Until then it says whom it waits for.
between=30  # seconds between two sentences
public_key() {
  local due=$SECONDS
  until [[ -e /public/$1/$1.pub ]]; do
    if ((SECONDS >= due)); then
      echo "start.sh: waits for $1 to lay down its public key /public/$1/$1.pub; is the container $1 up?" >&2
      due=$((SECONDS + between))
    fi
    sleep 0.2
  done
  echo "'$(tail --lines 1 "/public/$1/$1.pub")'"
}

# The newest run on this volume that has not ended: it has a record, and no summary or one by which it can be resumed.
unfinished_run() {
  local run
  while read -r run; do
    [[ -e $run/journal.db ]] || continue
    if [[ ! -s $run/summary.json ]] || grep --quiet '"resumable": *true' "$run/summary.json"; then
      echo "${run%/}"
      return
    fi
  done < <(ls -td /results/runs/*/ 2> /dev/null)
}

role=${1:?say what to do: integrator, resume, site or link}
shift
case $role in
  integrator | resume)
    name=$1
    shift
    make_key "$name"
    settings=(--set "security.key=/keys/$name.key")
    for site in "$@"; do settings+=(--set "sites.$site.public_key=$(public_key "$site")"); done
    echo "$name and $* know each other's keys"
    unfinished=$(unfinished_run)
    if [[ $role == resume ]]; then
      newest=$(ls -td /results/runs/*/ 2> /dev/null | head --lines 1) || true  # none: ls fails
      newest=${unfinished:-${newest%/}}
      [[ -n $newest ]] || { echo "start.sh: there is no run in /results/runs" >&2; exit 2; }
      exec trestle resume "$newest"
    fi
    how=(--resume)
    asked=/results/.new-run-of-$(cat /proc/sys/kernel/hostname)  # a container's own
    if [[ ${TRESTLE_NEW_RUN:-} == 1 && ! -e $asked ]]; then
      touch "$asked"
      how=(--out "runs/new-$(date --utc +%Y%m%dT%H%M%SZ)")
    elif [[ -n $unfinished ]]; then
      # The program resumes a run of this very test, and refuses a folder with a run of another one.
      how+=(--out "$unfinished")
      echo "$unfinished has not ended; it is resumed if it is of this very test. If that is refused: the role resume" \
        "continues it as it was begun, TRESTLE_NEW_RUN=1 begins a new run beside it"
    fi
    exec trestle run "$here/distributed.yaml" "${settings[@]}" "${how[@]}" ;;
  site)
    make_key "$1"
    exec trestle site "$here/site_$1.yaml" --out "/results/$1" \
      --set "security={key: /keys/$1.key, peers: {$2: {public_key: $(public_key "$2")}}}" ;;
  link)
    settings=()
    [[ -z ${1:-} ]] || settings=(--set "link=$1")
    exec trestle link "$here/link.yaml" "${settings[@]}" ;;
  *) echo "start.sh: there is no role $role" >&2; exit 2 ;;
esac
