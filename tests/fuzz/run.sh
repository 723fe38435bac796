#!/usr/bin/env bash
# Runs the fuzzers, as many at a time as there are processors: run.sh SECONDS [TARGET...]. What they
# learn stays in build/fuzz/corpus; what they find is put into tests/fuzz/findings, where it is a test
# from then on.
#   TRESTLE_FUZZ_SEED   the dice's seed; default: another one each time
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
[[ ${1:-} =~ ^[0-9]+$ ]] || { echo "usage: run.sh SECONDS [codec|yaml|journal|site|integrator|openfresco|page|connection ...]" >&2; exit 2; }
seconds=$1
shift
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(codec yaml journal site integrator openfresco page connection)

if ! command -v clang++-14 > /dev/null; then
  echo "SKIPPED: clang++-14 is not installed; deploy/setup.sh --with-tests installs it"
  exit 0
fi
cd "$root"
cmake --preset fuzz -Wno-dev --log-level=WARNING > /dev/null
cmake --build --preset fuzz --target "${targets[@]/#/fuzz_}" > build/fuzz/build.log 2>&1 ||
  { tail -n 40 build/fuzz/build.log >&2; exit 1; }

export ASAN_OPTIONS="detect_stack_use_after_return=1:allocator_may_return_null=1"
export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1"
# One line about the target. Its status is that of the fuzzer.
fuzz() {
  local target=$1
  local learnt=build/fuzz/corpus/$target findings=tests/fuzz/findings/$target log=build/fuzz/$target.log
  mkdir -p "$learnt" "$findings"
  if build/fuzz/tests/fuzz/fuzz_"$target" -seed="${TRESTLE_FUZZ_SEED:-0}" -max_total_time="$seconds" -timeout=20 \
       -rss_limit_mb=2000 -print_final_stats=1 -artifact_prefix="$findings/" \
       "$learnt" "tests/fuzz/corpus/$target" "$findings" > "$log" 2>&1; then
    echo "$target: $(grep -aE '^#[0-9]+.*DONE' "$log" | tr -s '\t ' ' ')"
    return 0
  fi
  echo "$target: FOUND something; see $log and $findings"
  grep -aE "broken promise|ERROR: |runtime error|SUMMARY" "$log" | head -n 5
  return 1
}
export -f fuzz
export seconds
printf '%s\n' "${targets[@]}" | xargs --max-procs="$(nproc)" -I{} bash -c 'fuzz {}' || exit 1
