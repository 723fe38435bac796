#!/usr/bin/env bash
# The man page and the completion against the program: words_test.sh TRESTLE SOURCE
set -euo pipefail
trestle=$1
source_tree=$2
folder=$(mktemp --directory)
trap 'rm --recursive --force "$folder"' EXIT
fail() { echo "words_test: $*" >&2; exit 1; }

verbs=$("$trestle" --help | awk '/^Subcommands:/ {on = 1; next} /^$/ {on = 0} on && /^  [a-z]/ {print $1}')
[[ $(wc --words <<< "$verbs") -gt 10 ]] || fail "the program tells of no verbs"

"$source_tree/deploy/package/man_page.sh" "$trestle" /usr/share/trestle > "$folder/trestle.1"
for verb in $verbs; do
  grep --quiet "^\.SS \"trestle $verb\"" "$folder/trestle.1" || fail "the man page does not tell of the verb $verb"
  for option in $("$trestle" "$verb" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
    escaped=${option//-/\\\\-}
    grep --quiet -- "^\.B $escaped" "$folder/trestle.1" || fail "the man page does not tell of $verb $option"
  done
done
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
expect 'trestle reh' rehearse
expect 'trestle run ' test.yaml runs
expect 'trestle run te' test.yaml
expect 'trestle run no' ''
expect 'trestle site --o' --once --out
expect 'trestle export ' runs
expect 'trestle export runs --csv re' record.csv

"$trestle" check "$source_tree/deploy/rehearsal/test.yaml" > /dev/null || fail "the rehearsal's test has mistakes"
echo "words_test: ${#all[@]} verbs stand in the man page and are completed"
