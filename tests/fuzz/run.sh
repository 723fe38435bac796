#!/usr/bin/env bash
# Runs the fuzzers one after the other: run.sh SECONDS [TARGET...]. What they learn stays in
# build/fuzz/corpus; what they find is put into tests/fuzz/findings, where it is a test from then on.
#   TRESTLE_FUZZ_SEED   the dice's seed; default: another one each time
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
[[ ${1:-} =~ ^[0-9]+$ ]] || { echo "usage: run.sh SECONDS [codec|yaml|journal|site|integrator|openfresco ...]" >&2; exit 2; }
seconds=$1
shift
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(codec yaml journal site integrator openfresco)

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
failed=0
for target in "${targets[@]}"; do
  learnt=build/fuzz/corpus/$target
  findings=tests/fuzz/findings/$target
  mkdir -p "$learnt" "$findings"
  log=build/fuzz/$target.log
  if build/fuzz/tests/fuzz/fuzz_"$target" -seed="${TRESTLE_FUZZ_SEED:-0}" -max_total_time="$seconds" -timeout=20 \
       -rss_limit_mb=2000 -print_final_stats=1 -artifact_prefix="$findings/" \
       "$learnt" "tests/fuzz/corpus/$target" "$findings" > "$log" 2>&1; then
    echo "$target: $(grep -aE '^#[0-9]+.*DONE' "$log" | tr -s '\t ' ' ')"
  else
    failed=1
    echo "$target: FOUND something; see $log and $findings"
    grep -aE "broken promise|ERROR: |runtime error|SUMMARY" "$log" | head -n 5
  fi
done
exit $failed
