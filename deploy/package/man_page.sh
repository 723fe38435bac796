#!/usr/bin/env bash
# Writes the man page: trestle.1.in with the verbs as the program itself describes them.
#   man_page.sh PROGRAM DATADIR > trestle.1
set -euo pipefail
program=${1:?say which program}
datadir=${2:?say where the examples are installed}
template=$(dirname "$0")/trestle.1.in

# The words of a `Subcommands:` paragraph.
verbs_of() { "$program" "$@" --help | awk '/^Subcommands:/ {on = 1; next} /^$/ {on = 0} on && /^  [a-z]/ {print $1}'; }

# One help text as paragraphs: description, usage, then a .TP for each argument and option.
describe() {
  printf '.SS "trestle %s"\n' "$*"
  "$program" "$@" --help | awk -v verb="$*" '
    function roff(text) { gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text); sub(/^\./, "\\\\\\&.", text); return text }
    function entry(head, text) { print ".TP"; print ".B " roff(head); print roff(text) }
    function flush() { if (head != "") entry(head, text); head = text = "" }
    NR == 1 { print roff($0) "."; next }
    /^Usage: / { sub(/^.*trestle /, "trestle "); print ".PP"; print ".B " roff($0); next }
    /^Exit codes: / { flush(); if (verb == "") next; exits = $0; next }
    exits != "" && NF { exits = exits " " $0; next }
    /^[A-Z][a-z]*:$/ || /^$/ { flush(); section = $0 != "" ? $0 : section; next }
    section == "Subcommands:" { next }
    /^  -h,--help/ { next }
    /^  [^ ]/ { flush(); line = substr($0, 3); at = match(line, /   *[^ ]/)
                if (at) { head = substr(line, 1, at - 1); text = substr(line, at); sub(/^ +/, "", text) } else head = line
                sub(/ REQUIRED$/, "", head); next }
    /^ +[^ ]/ { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0 }
    END { flush(); if (exits !~ /0 complete, 1 internal/ && exits != "") { print ".PP"; print roff(exits) } }'
  local verb
  for verb in $(verbs_of "$@"); do describe "$@" "$verb"; done
}

version=$("$program" --version | awk '{print $2}')
while IFS= read -r line; do
  if [[ $line == @VERBS@ ]]; then
    for verb in $(verbs_of); do describe "$verb"; done
  else
    line=${line//@VERSION@/$version}
    printf '%s\n' "${line//@DATADIR@/$datadir}"
  fi
done < "$template"
