#!/usr/bin/env bash
# What `trestle adapter new` writes, built outside the tree by find_package(trestle) and tested.
#   skeleton_test.sh TRESTLE FOLDER_OF_TRESTLE_CONFIG
set -euo pipefail
trestle=$1
config=$2
if [[ ! -e $config/trestleConfig.cmake ]]; then
  echo "there is no $config/trestleConfig.cmake"
  exit 77
fi
folder=$(mktemp --directory)
trap 'rm --recursive --force "$folder"' EXIT
cd "$folder"
"$trestle" adapter new oil_jack
cmake -S oil_jack -B build -Dtrestle_DIR="$config"
cmake --build build
ctest --test-dir build --output-on-failure

# The commands that it prints work as they are printed, from a build tree, too.
"$trestle" adapter new valve | grep '^  c' > commands
[[ $(wc -l < commands) == 2 ]]
bash -e commands
