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

# clang-tidy reads the commands of the dev preset, and the headers that protoc writes.
cmake --preset dev -Wno-dev --log-level=WARNING
cmake --build --preset dev --parallel "$(nproc)" --target trestle_proto
mapfile -t units < <(printf '%s\n' "${files[@]}" | grep '\.cc$' | grep --invert-match '^tests/\|^bench/' || true)
[[ ${#units[@]} -gt 0 ]] || exit 0
if ! printf '%s\0' "${units[@]}" |
     xargs --null --max-args=2 --max-procs="$(nproc)" clang-tidy --quiet -p build/dev \
       2> >(grep --invert-match 'warnings\? generated' >&2); then
  echo "lint: clang-tidy found what stands above" >&2
  exit 1
fi
echo "lint: clang-tidy is content with ${#units[@]} units"
