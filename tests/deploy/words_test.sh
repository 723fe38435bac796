#!/usr/bin/env bash
# The man page and the completion against the program: words_test.sh TRESTLE SOURCE
set -euo pipefail
trestle=$1
source_tree=$2
folder=$(mktemp --directory)
trap 'rm --recursive --force "$folder"' EXIT
fail() { echo "words_test: $*" >&2; exit 1; }

subverbs_of() { "$trestle" "$@" --help | awk '/^Subcommands:/ {on = 1; next} /^$/ {on = 0} on && /^  [a-z]/ {print $1}'; }
verbs=$(subverbs_of)
[[ $(wc --words <<< "$verbs") -gt 10 ]] || fail "the program tells of no verbs"

"$source_tree/deploy/package/man_page.sh" "$trestle" /usr/share/trestle > "$folder/trestle.1"
# The part of the page that tells of one verb.
section_of() { awk -v head=".SS \"trestle $*\"" '$0 == head {on = 1; print; next} /^\.S[SH]/ {on = 0} on' "$folder/trestle.1"; }
told=0
in_page() {
  local section option word
  section=$(section_of "$@")
  [[ -n $section ]] || fail "the man page does not tell of the verb $*"
  told=$((told + 1))
  for option in $("$trestle" "$@" --help | sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p'); do
    grep --quiet -- "^\.B ${option//-/\\\\-}" <<< "$section" || fail "the man page does not tell of $* $option"
  done
  for word in $(subverbs_of "$@"); do in_page "$@" "$word"; done
}
for verb in $verbs; do in_page "$verb"; done
for code in 0 1 2 3 4; do
  grep --quiet "^\.B $code$" "$folder/trestle.1" || fail "the man page does not tell of exit code $code"
done
! grep --quiet '@[A-Z]*@' "$folder/trestle.1" || fail "a place in the man page was not filled in"

# What <TAB> gives after a line; where it ends in a blank a new word begins.
complete_line() {
  PATH=$(dirname "$trestle"):$PATH bash -c '
    cd "$2"
    source "$3"
    read -r -a COMP_WORDS <<< "$1"
    if [[ $1 == *" " ]]; then COMP_WORDS+=(""); fi
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _trestle
    printf "%s\n" "${COMPREPLY[@]}"' - "$1" "$folder" "$source_tree/deploy/package/trestle.bash-completion"
}
expect() {
  local line=$1 got
  shift
  got=$(complete_line "$line" | sort)
  [[ $got == "$(printf '%s\n' "$@" | sort)" ]] || fail "after '$line' <TAB> gives: $got"
}
touch "$folder/test.yaml" "$folder/notes.txt" "$folder/record.csv"
mkdir "$folder/runs"
mapfile -t all <<< "$verbs"
expect 'trestle ' "${all[@]}"
# Below each verb its own verbs, and all its options.
completed() {
  local -a words options
  local word
  mapfile -t words < <(subverbs_of "$@")
  if [[ ${#words[@]} -gt 0 ]]; then expect "trestle $* " "${words[@]}"; fi
  # An option may have two names: `--file,--photo TEXT`.
  mapfile -t options < <("$trestle" "$@" --help | sed -n 's/^  \(-[-a-z0-9,]*\).*/\1/p' | tr ',' '\n' | grep '^--')
  expect "trestle $* --" "${options[@]}"
  for word in "${words[@]}"; do completed "$@" "$word"; done
}
for verb in "${all[@]}"; do completed "$verb"; done
expect 'trestle reh' rehearse
expect 'trestle run ' test.yaml runs
expect 'trestle run te' test.yaml
expect 'trestle run no' ''
expect 'trestle site --o' --once --out
expect 'trestle export ' runs
expect 'trestle gateway ' openfresco
expect 'trestle gateway openfresco --transport ' tcp udp
expect 'trestle gateway openfresco --site ' test.yaml runs
expect 'trestle gateway openfresco --listen ' ''
expect 'trestle run --set ' ''
expect 'trestle export runs --csv re' record.csv

"$trestle" check "$source_tree/deploy/rehearsal/test.yaml" > /dev/null || fail "the rehearsal's test has mistakes"
echo "words_test: ${#all[@]} verbs, $told with those below them, stand in the man page and are completed"
