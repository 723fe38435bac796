#!/usr/bin/env bash
# deploy/package.sh names the tools that it misses, all at once and each with its Debian package, before it builds anything.
#   package_tools_test.sh SOURCE
set -euo pipefail
script=$(realpath "$1/deploy/package.sh")
folder=$(mktemp --directory)
trap 'rm --recursive --force "$folder"' EXIT
fail() { echo "package_tools_test: $*" >&2; exit 1; }

# A tree of its own, in which nothing is built, and a PATH with nothing but these tools.
mkdir --parents "$folder/tree/deploy"
cp "$script" "$folder/tree/deploy/package.sh"
tools=(awk cmake cpack dpkg-deb dpkg-shlibdeps file gzip strip)
with_tools() {
  rm --recursive --force "$folder/bin"
  mkdir "$folder/bin"
  for tool in dirname "$@"; do printf '#!/bin/sh\n' > "$folder/bin/$tool"; done
  ln --symbolic --force "$(command -v dirname)" "$folder/bin/dirname"
  chmod +x "$folder/bin"/*
  ended=0
  said=$(PATH=$folder/bin "$BASH" "$folder/tree/deploy/package.sh" --built 2>&1) || ended=$?
  [[ $ended == 2 ]] || fail "ended with $ended, not with 2: $said"
}

with_tools
for tool in "${tools[@]}"; do grep --quiet --extended-regexp "the tool $tool \(apt install [a-z-]+\) is missing" <<< "$said" || fail "with no tool at all it did not name $tool: $said"; done
[[ $(wc --lines <<< "$said") == "${#tools[@]}" ]] || fail "it said more than one line a tool: $said"

for absent in "${tools[@]}"; do
  present=()
  for tool in "${tools[@]}"; do [[ $tool == "$absent" ]] || present+=("$tool"); done
  with_tools "${present[@]}"
  [[ $said == "package.sh: the tool $absent (apt install "*") is missing" ]] || fail "without $absent it said: $said"
done

# With all tools it looks for the build.
with_tools "${tools[@]}"
[[ $said == "package.sh: nothing is built in build/release; "* ]] || fail "without a build it said: $said"
echo "package_tools_test: ${#tools[@]} tools are named, together and one by one"
