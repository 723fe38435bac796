#!/usr/bin/env bash
# What a container of the rehearsal does.
#   start.sh integrator NAME SITE...   runs distributed.yaml; the record goes to /results/runs/
#   start.sh site NAME INTEGRATOR      serves site_NAME.yaml; the records go to /results/NAME
#   start.sh link [PROFILE]            relays by link.yaml, with this network in place of its own
#   start.sh health                    0: what was started here does its work
# A node makes its key at its first start, in /keys, and lays its public half into /public for the others.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

make_key() {
  [[ -e /keys/$1.key ]] || trestle keygen "$1" --out /keys > /dev/null
  cp /keys/"$1".pub /public/"$1".new
  mv /public/"$1".new /public/"$1".pub
}

# The key of another node, as soon as it is there; YAML in quotes.
public_key() {
  until [[ -e /public/$1.pub ]]; do sleep 0.2; done
  echo "'$(tail --lines 1 "/public/$1.pub")'"
}

role=${1:?say what to do: integrator, site, link or health}
shift
case $role in
  integrator)
    name=$1
    shift
    make_key "$name"
    settings=(--set "security.key=/keys/$name.key")
    for site in "$@"; do settings+=(--set "sites.$site.public_key=$(public_key "$site")"); done
    echo "$name and $* know each other's keys"
    exec trestle run "$here/distributed.yaml" "${settings[@]}" ;;
  site)
    make_key "$1"
    exec trestle site "$here/site_$1.yaml" --out "/results/$1" \
      --set "security={key: /keys/$1.key, peers: {$2: {public_key: $(public_key "$2")}}}" ;;
  link)
    settings=()
    [[ -z ${1:-} ]] || settings=(--set "link=$1")
    exec trestle link "$here/link.yaml" "${settings[@]}" ;;
  health)
    # Process 1 is Docker's init; what it was told to start says who we are.
    mapfile -d '' -t started < /proc/1/cmdline
    case " ${started[*]} " in
      *" link "*)  # every relay listens
        for port in $(sed -n 's/.*listen: "[^"]*:\([0-9]*\)".*/\1/p' "$here/link.yaml"); do
          grep --quiet ":$(printf '%04X' "$port") .* 0A " /proc/net/tcp /proc/net/tcp6 || exit 1
        done ;;
      *" site "*) trestle status "/results/$(ls -t /keys/ | sed -n 's/\.key$//p')" > /dev/null ;;
      *) for folder in $(ls -td /results/runs/*/); do
           exec trestle status "$folder" > /dev/null
         done
         exit 1 ;;
    esac ;;
  *) echo "start.sh: there is no role $role" >&2; exit 2 ;;
esac
