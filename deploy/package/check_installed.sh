#!/usr/bin/env bash
# Looks at an installed package as a new user would: a first test, the man page, completion, the unit,
# and a plug-in built outside the tree. Needs nothing of the source tree. Ends with 0 where all is well.
set -euo pipefail
examples=/usr/share/trestle/examples
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp --directory)
cd "$folder"
trap 'echo "check_installed: line $LINENO failed" >&2' ERR

say() { echo "check_installed: $*"; }

trestle version
trestle check $examples/two_site_frame/test.yaml > /dev/null
trestle run $examples/two_site_frame/test.yaml --out first > first.txt
tail --lines 3 first.txt
trestle export first --csv first.csv
[[ $(wc --lines < first.csv) -gt 1000 ]]
say "the first test ran; its record has $(wc --lines < first.csv) lines"

# The man page contains every command of the program and every exit code.
MANWIDTH=200 man -P cat trestle | col -b > page.txt
verbs=$(trestle --help | awk '/^Subcommands:/ {on = 1; next} /^$/ {on = 0} on && /^  [a-z]/ {print $1}')
for verb in $verbs; do grep --quiet "^ *trestle $verb" page.txt; done
for code in 0 1 2 3 4; do grep --quiet "^ *$code  " page.txt; done
say "man trestle tells of $(wc --words <<< "$verbs") verbs and of the exit codes"

# What <TAB> gives, in a shell that has bash-completion.
complete_line() {
  bash -c '
    source /usr/share/bash-completion/bash_completion
    source /usr/share/bash-completion/completions/trestle
    COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9
    read -r -a COMP_WORDS <<< "$1"
    [[ $1 == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _trestle 2> /dev/null
    printf "%s\n" "${COMPREPLY[@]}"' - "$1"
}
cp --recursive $examples/two_site_frame .
touch two_site_frame/notes.txt
for verb in $verbs; do grep --quiet --line-regexp "$verb" <<< "$(complete_line 'trestle ')"; done
[[ $(complete_line 'trestle reh') == rehearse ]]
grep --quiet --line-regexp -- --once <<< "$(complete_line 'trestle site --')"
[[ $(complete_line 'trestle run two_site_frame/tes') == two_site_frame/test.yaml ]]
[[ -z $(complete_line 'trestle run two_site_frame/not') ]]
say "completion knows verbs, options and YAML files"

unit=/usr/lib/systemd/system/trestle-site@.service
grep --quiet '^LimitRTPRIO=' $unit
getent passwd trestle > /dev/null
if command -v systemd-analyze > /dev/null; then
  systemd-analyze verify trestle-site@west.service
  say "systemd takes the unit"
fi

if command -v cmake > /dev/null; then
  mkdir outside
  cat > outside/CMakeLists.txt << 'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES C)
find_package(trestle 0.1 REQUIRED)
enable_testing()
add_test(NAME program COMMAND trestle::trestle check ${TRESTLE_EXAMPLES_DIR}/two_site_frame/test.yaml)
if(NOT EXISTS ${TRESTLE_PROTO_DIR}/proto/wire/session.proto)
  message(FATAL_ERROR "the package's folders are not where it says")
endif()
CMAKE
  built() { cmake -S "$1" -B "$1/build" && cmake --build "$1/build" && ctest --test-dir "$1/build" --output-on-failure; }
  built outside > outside.log 2>&1 || { cat outside.log >&2; exit 1; }
  say "find_package(trestle) serves a project outside the tree"
  if grep --quiet --line-regexp adapter <<< "$verbs"; then
    trestle adapter new my_rig > /dev/null
    built my_rig > my_rig.log 2>&1 || { cat my_rig.log >&2; exit 1; }
    say "a plug-in built outside the tree keeps the rules and runs a test"
    # The same, spoilt: a safe stop or a refusal, and a sentence that names what is wrong.
    spoilt() {
      local way=$1 code=$2 sentence=$3 ended=0
      shift 3
      gcc -shared -fPIC -I. "-D$way" "$here/bad_rig.c" -o "$way.so" -lm
      trestle run my_rig/test.yaml --set "sites.lab.adapter.file=$PWD/$way.so" "$@" --out "$way" > "$way.txt" 2>&1 || ended=$?
      if [[ $ended != "$code" ]] || ! grep --quiet -- "$sentence" "$way.txt"; then
        cat "$way.txt" >&2
        echo "check_installed: with $way the test ended with $ended" >&2
        exit 1
      fi
    }
    spoilt RIG_OVERRUNS 3 'lab: the plug-in RIG_OVERRUNS.so overran 3 ticks in a row' --set mode=continuous --set clock=wall
    rm --recursive RIG_OVERRUNS
    # In real time the integrator may notice first.
    spoilt RIG_OVERRUNS 3 'overran 3 ticks in a row\|site lab .* missed its deadline\|lab: control ticks come too late' --set mode=real-time
    spoilt RIG_RETURNS_GARBAGE 3 'without a finite number'
    spoilt RIG_TRIPS 3 'tripped in read'
    spoilt RIG_LIES 2 'has 1000 actuators'
    say "plug-ins that overrun, return garbage, trip and lie are stopped, each with its sentence"
  fi
fi

# What trestle_export.tcl records of a model of OpenSees becomes a test file.
cat > column.record <<'END'
["", "model", "basic", "-ndm", "2"]
["", "node", "1", "0", "0"]
["", "node", "2", "0", "4"]
["", "fix", "1", "1", "1", "1"]
["", "mass", "2", "1e4", "1e4", "0"]
["", "geomTransf", "Linear", "1"]
["", "element", "elasticBeamColumn", "1", "1", "2", "0.01", "2.1e11", "1e-4", "1"]
END
/usr/share/trestle/export/trestle_export.py column.record --units m,N --out column.yaml > column.txt
trestle check column.yaml > column.txt
say "a model of OpenSees is imported"

if python3 -c 'import zmq, google.protobuf' 2> /dev/null; then
  cp --recursive $examples/python_site .
  python_site/lab.py 2> lab.txt &
  trestle run python_site/distributed.yaml --out python > python.txt
  kill $!
  wait
  say "a site in Python runs a test"
fi
say "all is well"
