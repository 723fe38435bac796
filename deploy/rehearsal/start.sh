#!/usr/bin/env bash
# What a container of the rehearsal does.
#   start.sh integrator NAME SITE...   runs distributed.yaml, or resumes the unfinished run of this node
#   start.sh resume NAME SITE...       resumes the newest run, and begins none
#   start.sh site NAME INTEGRATOR      serves site_NAME.yaml; its records go to /results/NAME
#   start.sh link [PROFILE]            relays by link.yaml, with this network instead of the file's
# A node makes its key at its first start, in /keys, and lays its public half into /mine, which the others see as
# /public/NAME and may only read. TRESTLE_NEW_RUN=1: the integrator begins a new run although an unfinished one is there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
umask 022

make_key() {
  [[ -e /keys/$1.key ]] || trestle keygen "$1" --out /keys > /dev/null
  cp /keys/"$1".pub /mine/"$1".new
  mv /mine/"$1".new /mine/"$1".pub
}

# The key of another node, as soon as it is there; YAML in quotes.
public_key() {
  until [[ -e /public/$1/$1.pub ]]; do sleep 0.2; done
  echo "'$(tail --lines 1 "/public/$1/$1.pub")'"
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
    if [[ $role == resume ]]; then
      newest=$(ls -td /results/runs/*/ 2> /dev/null | head --lines 1) || true  # none: ls fails
      [[ -n $newest ]] || { echo "start.sh: there is no run in /results/runs" >&2; exit 2; }
      exec trestle resume "${newest%/}"
    fi
    # A run of this very test that was cut off is taken up; the program itself says which.
    how=(--resume)
    [[ ${TRESTLE_NEW_RUN:-} != 1 ]] || how=(--out "runs/new-$(date --utc +%Y%m%dT%H%M%SZ)")
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
