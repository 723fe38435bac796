#!/usr/bin/env bash
# Installs the program and the headers into an empty prefix. With find_package(trestle) alone it then builds
# the installed example of a plug-in, which the installed program must accept, and a source with all ports.
#   installed_sdk_test.sh BUILD_FOLDER SOURCE_FOLDER CXX_COMPILER
set -euo pipefail
build=$1
source=$2
compiler=$3
if [[ ! -e $build/package/trestleConfig.cmake ]]; then
  echo "$build has no package/trestleConfig.cmake"
  exit 77
fi
folder=$(mktemp --directory)
trap 'rm --recursive --force "$folder"' EXIT
prefix=$folder/prefix
for component in program sdk; do
  cmake --install "$build" --prefix "$prefix" --component "$component" > "$folder/install.txt" ||
    { cat "$folder/install.txt" >&2; exit 1; }
done

# No installed text leads back to the tree or to the build.
config=$prefix/share/cmake/trestle
if grep --recursive --fixed-strings -e "$source" -e "$build" "$config" "$prefix/include"; then
  echo "the installed files name the folders above" >&2
  exit 1
fi

# The example keeps the rules (trestle adapter check) and runs a test, with the installed program.
cp --recursive "$prefix/share/trestle/examples/adapter" "$folder/adapter"
cmake -S "$folder/adapter" -B "$folder/adapter/build" -DCMAKE_PREFIX_PATH="$prefix"
grep --quiet "^trestle_DIR:PATH=$config$" "$folder/adapter/build/CMakeCache.txt"
cmake --build "$folder/adapter/build"
ctest --test-dir "$folder/adapter/build" --output-on-failure
for isolation in none process; do
  "$prefix/bin/trestle" adapter check "$folder/adapter/build/my_rig.so" --isolation "$isolation" --tick 0.05 --ticks 100
done

# The installed C++ headers are complete: they compile without the tree, and hand on no warnings of it.
mkdir "$folder/ports"
cd "$prefix/include/trestle"
for header in core/*/*.h; do echo "#include \"$header\""; done > "$folder/ports/ports.cc"
grep --quiet core/ports/compensator.h "$folder/ports/ports.cc"
cat > "$folder/ports/CMakeLists.txt" << 'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(ports LANGUAGES CXX)
find_package(trestle 0.1 REQUIRED)
add_library(ports OBJECT ports.cc)
target_link_libraries(ports PRIVATE trestle::core_headers)
CMAKE
cmake -S "$folder/ports" -B "$folder/ports/build" -G "Unix Makefiles" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_COMPILER="$compiler"
cmake --build "$folder/ports/build"
if grep --quiet -e -W "$folder/ports/build/CMakeFiles/ports.dir/flags.make"; then
  echo "trestle::core_headers hands on the project's warnings" >&2
  exit 1
fi
