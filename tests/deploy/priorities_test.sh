#!/usr/bin/env bash
# Unit, limits and a rig's container allow the highest priority that a thread of the program asks for: those that watch the
# control thread stand above it, and with less they would be ordinary threads that one which spins keeps from running.
#   priorities_test.sh SOURCE
set -euo pipefail
cd "$1"
fail() { echo "priorities_test: $*" >&2; exit 1; }

asked=$(grep --recursive --no-filename --only-matching --perl-regexp 'constexpr int k\w*Priority = \K\d+' core/host/realtime_scheduling.h site-servers adapters | sort --numeric-sort | tail --lines 1)
[[ ${asked:-0} -gt 80 ]] || fail "no thread that watches the control thread (priority 80) is found; asked: ${asked:-none}"
allows() {
  local allowed
  allowed=$(sed --quiet --regexp-extended "s/$2/\1/p" "$1")
  [[ -n $allowed ]] || fail "$1 states no priority"
  [[ $allowed -ge $asked ]] || fail "$1 allows priority $allowed, and a thread asks for $asked"
}
allows deploy/package/trestle-site@.service '^LimitRTPRIO=([0-9]+)$'
allows deploy/package/realtime-limits.conf '^@trestle - rtprio ([0-9]+)$'
allows deploy/rig/compose.yaml '^ *rtprio: ([0-9]+)$'
echo "priorities_test: unit, limits and container allow priority $asked"
