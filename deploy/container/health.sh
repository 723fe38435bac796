#!/usr/bin/env bash
# Health of a container of Trestle: 0 if what was started in it does its work. It looks for the program by its
# command line: a site, an integrator or a gateway answers `trestle status`, every relay of a link listens.
set -euo pipefail

# What follows $1 among the arguments.
after() {
  local wanted=$1 take=
  shift
  for argument in "$@"; do
    [[ -z $take ]] || { echo "$argument"; return; }
    [[ $argument != "$wanted" ]] || take=1
  done
}

for process in /proc/[0-9]*; do
  mapfile -d '' -t started < "$process/cmdline" 2> /dev/null || continue
  [[ ${started[0]:-} == trestle || ${started[0]:-} == */trestle ]] || continue
  case ${started[1]:-} in
    link)
      # The address is in double quotes, in single ones or in none; one line may have several relays.
      ports=$(sed -E 's/(^|[[:space:]])#.*//' "${started[2]}" |
        grep --only-matching --extended-regexp "listen[\"']? *: *[\"']?[^\"' ,}]*:[0-9]+" | sed 's/.*://') || true  # none: grep fails
      [[ -n $ports ]] || { echo "no relay in ${started[2]} has \`listen: ADDRESS:PORT\`" >&2; exit 1; }
      for port in $ports; do
        grep --quiet ":$(printf '%04X' "$port") .* 0A " /proc/net/tcp /proc/net/tcp6 || exit 1
      done
      exit 0 ;;
    resume) exec trestle status "${started[2]}" > /dev/null ;;
    site | run | gateway)
      folder=$(after --out "${started[@]}")
      [[ -n $folder ]] || folder=$(ls -td /results/runs/*/ 2> /dev/null | head --lines 1) || true  # none: ls fails
      [[ -n $folder ]] || exit 1
      exec trestle status "$folder" > /dev/null ;;
  esac
done
echo "no node of Trestle runs here" >&2
exit 1
