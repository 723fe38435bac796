#!/usr/bin/env bash
# The Debian package of the program as it is built: lintian finds neither error nor warning, and dpkg purges it as documented.
#   package_test.sh SOURCE BUILD
# Skipped if the program is not built in build/release or has to be built again: that takes many minutes.
set -euo pipefail
source_tree=$(realpath "$1")
build=$(realpath "$2")
skip() { echo "SKIPPED: $*"; exit 77; }
fail() { echo "package_test: $*" >&2; exit 1; }

[[ $build == "$source_tree/build/release" ]] || skip "deploy/package.sh packages build/release, not $build"
[[ -x $build/cli/trestle ]] || skip "the program is not built"
command -v lintian > /dev/null || skip "lintian is not installed; deploy/setup.sh --with-tests installs it"
[[ -e $build/build.ninja ]] || skip "Ninja did not build build/release"
# A copy of Ninja's file: with its own, which CMake would write again, Ninja's dry run ends before the first step of the build.
changed=$(find "$source_tree" -path "$source_tree/build" -prune -o \( -name CMakeLists.txt -o -name '*.cmake' \) -newer "$build/build.ninja" -print -quit)
[[ -z $changed ]] || skip "the build is not up to date: $changed is newer"
cp "$build/build.ninja" "$build/asked.ninja"
trap 'rm --force "$build/asked.ninja"' EXIT
asked=$(ninja -C "$build" -f asked.ninja -n trestle_package_files) || fail "Ninja does not know the files of the package: $asked"
waiting=$(grep --count '] Building C' <<< "$asked" || true)
[[ $waiting == 0 ]] || skip "the build is not up to date: $waiting files are to be compiled"

"$source_tree/deploy/package.sh" --built > /dev/null || fail "deploy/package.sh ended with $?"
found=0
for package in "$build"/trestle*.deb; do
  lintian --allow-root --fail-on error,warning "$package" || found=1
done
[[ $found == 0 ]] || fail "lintian found what stands above"
package=$(echo "$build"/trestle_*.deb)
bash "$source_tree/tests/deploy/purge_test.sh" "$source_tree" "$package" || { code=$?; [[ $code == 77 ]] || fail "the purge ended with $code"; }
echo "package_test: lintian finds nothing in $(ls "$build"/trestle*.deb | wc --lines) packages"
