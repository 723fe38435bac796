#!/usr/bin/env bash
# clang-format over all sources and clang-tidy over the product's (not tests/ and bench/, whose
# macros are others'); changes nothing.
#   --changed [BASE]   only files that differ from BASE (default: main)
#   --format           the format alone: seconds, where clang-tidy takes many minutes
set -euo pipefail
cd "$(dirname "$0")/.."

./deploy/setup.sh --with-tools

sources() { git ls-files --cached --others --exclude-standard -- '*.h' '*.cc'; }
format_alone=false
if [[ ${1:-} == --format ]]; then
  format_alone=true
elif [[ ${1:-} == --changed ]]; then
  base=${2:-main}
  sources() {
    { git diff --name-only --diff-filter=d "$base" -- '*.h' '*.cc'
      git ls-files --others --exclude-standard -- '*.h' '*.cc'; } | sort -u
  }
elif [[ $# -gt 0 ]]; then
  echo "lint.sh: unknown argument $1; known: --changed [BASE], --format" >&2
  exit 2
fi

mapfile -t files < <(sources)
[[ ${#files[@]} -gt 0 ]] || { echo "lint: no sources"; exit 0; }
clang-format --dry-run -Werror "${files[@]}"
echo "lint: format of ${#files[@]} files is right"
if $format_alone; then exit 0; fi

# clang-tidy reads the commands of the dev preset, and the headers that protoc writes. For all sources it
# reads those of a target together: headers take most of its time.
build=build/dev
joined=()
if [[ $# -eq 0 ]]; then
  build=build/lint
  joined=(-B "$build" -DTRESTLE_JOIN_SOURCES=ON)
fi
cmake --preset dev "${joined[@]}" -Wno-dev --log-level=WARNING
cmake --build "$build" --parallel "$(nproc)" --target trestle_proto
if [[ $# -eq 0 ]]; then
  mapfile -t units < <(sed -n 's/^ *"file": "\(.*\)",\?$/\1/p' "$build/compile_commands.json" |
    grep --invert-match '/tests/\|/bench/\|/generated/\|_verify_interface_header_sets/' | sort -u)
else
  mapfile -t units < <(printf '%s\n' "${files[@]}" | grep '\.cc$' | grep --invert-match '^tests/\|^bench/' || true)
fi
[[ ${#units[@]} -gt 0 ]] || exit 0
if ! printf '%s\0' "${units[@]}" |
     xargs --null --max-args=1 --max-procs="$(nproc)" clang-tidy --quiet -p "$build" \
       --extra-arg=-Wno-unused-command-line-argument \
       2> >(grep --invert-match 'warnings\? generated' >&2); then
  echo "lint: clang-tidy found what stands above" >&2
  exit 1
fi
echo "lint: clang-tidy is content with ${#units[@]} units"
