#!/usr/bin/env bash
# Builds everything and runs every test.
#   --asan         also under the address and undefined-behaviour sanitizers
#   --asan-library the same, but only the tests below composition/, which start no program of ours: a
#                  third of the time
#   --asan-site    the same, but only the tests of core/ and site-servers/: what every rig depends on
#   --tsan         also under the thread sanitizer
#   --sanitizers   both
#   --short        without the tests labelled `long`: the whole kill matrix, every example, the
#                  linker's check (a sample of each is in the rest); the benches are not built, and the test
#                  programs below composition/ run whole, not a process for each of their tests
set -euo pipefail
cd "$(dirname "$0")/.."

presets=(release)
long="a^"  # no label
extra=(benches)  # no test needs them, but they shall compile
part=  # label of the tests that run under the address sanitizer; empty: all
whole=OFF
for argument in "$@"; do
  case "$argument" in
    --asan) presets+=(asan) ;;
    --asan-library) presets+=(asan); part=library ;;
    --asan-site) presets+=(asan); part=site ;;
    --tsan) presets+=(tsan) ;;
    --sanitizers) presets+=(asan tsan) ;;
    --short) long=long; extra=(); whole=ON ;;
    *)
      echo "test.sh: unknown argument $argument; known: --asan, --asan-library, --asan-site, --tsan, --sanitizers, --short" >&2
      exit 2
      ;;
  esac
done

# ThreadSanitizer of g++ 12 does not start where the kernel spreads addresses too widely.
fixed_addresses=()
probe_thread_sanitizer() {
  local folder
  folder=$(mktemp --directory)
  echo 'int main() {}' > "$folder/probe.cc"
  g++ -fsanitize=thread "$folder/probe.cc" -o "$folder/probe"
  "$folder/probe" > /dev/null 2>&1 || fixed_addresses=(setarch --addr-no-randomize)
  rm -r "$folder"
}

./deploy/setup.sh --with-tests
for preset in "${presets[@]}"; do
  echo "== $preset"
  wrapper=()
  if [[ $preset == tsan ]]; then
    probe_thread_sanitizer
    wrapper=("${fixed_addresses[@]}")
  fi
  cmake --preset "$preset" -Wno-dev --log-level=WARNING -D TRESTLE_LIBRARY_TESTS_WHOLE=$whole
  targets=(all)
  [[ $preset == release ]] && targets+=("${extra[@]}")
  [[ $preset == asan && -n $part ]] && targets=("${part}_tests")
  cmake --build --preset "$preset" --parallel "$(nproc)" --target "${targets[@]}"
  # The model of the protocol, the mutants of the gate, sources, pages and scripts are the same under a sanitizer.
  skipped=(--label-exclude "$long")
  [[ $preset == release ]] || skipped=(--label-exclude "model|long|once")
  [[ $preset == asan && -n $part ]] && skipped+=(--label-regex "^$part$")
  # Tests with real processes may meet a machine that stands still for seconds: one more try, which the
  # log shows beside the first.
  "${wrapper[@]}" ctest --preset "$preset" --parallel "$(nproc)" --repeat until-pass:2 "${skipped[@]}"
done
