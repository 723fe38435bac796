#!/usr/bin/env bash
# Makes the Debian package of this tree: build/release/trestle_<version>_<architecture>.deb. docs/howto/install.md.
#   --built   takes the program as it is already built, and builds nothing but the man page
set -euo pipefail
cd "$(dirname "$0")/.."

build=true
case ${1:-} in
  '') ./deploy/setup.sh --with-package ;;
  --built) build=false ;;
  *) echo "package.sh: unknown argument $1; known: --built" >&2; exit 2 ;;
esac
# Before the minutes of a build.
missing=()
for tool in awk:mawk cmake:cmake cpack:cmake dpkg-deb:dpkg dpkg-shlibdeps:dpkg-dev file:file gzip:gzip strip:binutils; do
  command -v "${tool%:*}" > /dev/null || missing+=("${tool%:*} (apt install ${tool#*:})")
done
if [[ ${#missing[@]} -gt 0 ]]; then
  printf 'package.sh: the tool %s is missing\n' "${missing[@]}" >&2
  exit 2
fi
if $build; then
  cmake --preset release -Wno-dev --log-level=WARNING
  cmake --build --preset release --parallel "$(nproc)" --target trestle
elif [[ ! -e build/release/CMakeCache.txt ]]; then
  echo "package.sh: nothing is built in build/release; call it without --built, which builds first" >&2
  exit 2
fi
cmake --build --preset release --target trestle_package_files
rm --force build/release/*.deb
(cd build/release && cpack -G DEB > cpack.log) || { cat build/release/cpack.log >&2; exit 1; }
package=$(ls "$PWD"/build/release/trestle_*.deb)  # trestle-mpi_*.deb is beside it where MPI was found

# What a user looks for is in it.
contents=$(dpkg-deb --contents "$package")
for file in bin/trestle share/man/man1/trestle.1.gz share/bash-completion/completions/trestle \
            lib/systemd/system/trestle-site@.service share/cmake/trestle/trestleConfig.cmake \
            share/trestle/monitoring/trestle.dashboard.json share/trestle/monitoring/trestle.rules.yaml \
            share/trestle/mpi/trestle_mpi.cc share/trestle/proto/config/test.proto share/trestle/examples/two_site_frame/test.yaml; do
  grep --quiet --fixed-strings "./usr/$file" <<< "$contents" || { echo "package.sh: the package lacks $file" >&2; exit 1; }
done
echo "$package"
