#!/usr/bin/env bash
# Installs Debian's packages that the build needs; does nothing where all are there.
#   --with-tests   also what only the test suite needs
#   --with-package also what makes the Debian package
#   --with-tools   also what lint and the reference of the ports need
set -euo pipefail

packages=(
  # to build
  g++ cmake make ninja-build ccache pkg-config git
  # bus, schema, mathematics
  libzmq3-dev cppzmq-dev libsodium-dev libssl-dev libprotobuf-dev protobuf-compiler libeigen3-dev libsuitesparse-dev
  # files, journal, command line
  libyaml-cpp-dev libsqlite3-dev libhdf5-dev libmatio-dev libcli11-dev libboost-dev libncurses-dev libqrencode-dev
  # adapters
  libmodbus-dev
  # pictures of bond graphs
  graphviz
  # tests and benchmarks are part of the build
  libgtest-dev libbenchmark-dev nlohmann-json3-dev
)
for argument in "$@"; do
  case "$argument" in
    --with-tests) packages+=(python3 python3-h5py python3-zmq python3-protobuf python3-yaml lintian systemd spin valgrind clang-14 libclang-rt-14-dev chromium chromium-driver python3-selenium locales libxml2-utils
                              libopenmpi-dev openmpi-bin slurmd slurmctld slurm-client munge iproute2 prometheus tcl openssl) ;;
    --with-package) packages+=(dpkg-dev file gzip libopenmpi-dev) ;;
    --with-tools) packages+=(clang-format clang-tidy doxygen) ;;
    *) echo "setup.sh: unknown argument $argument; known: --with-tests, --with-package, --with-tools" >&2; exit 2 ;;
  esac
done

if ! command -v apt-get > /dev/null; then
  echo "setup.sh: no apt-get here; Trestle is built on Debian 12. Elsewhere, install the" >&2
  echo "  counterparts of: ${packages[*]}" >&2
  exit 2
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2> /dev/null || true)
  [[ $state == installed ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  echo "setup: all ${#packages[@]} packages are installed"
  exit 0
fi

as_root=()
if [[ $EUID -ne 0 ]]; then
  if ! command -v sudo > /dev/null; then
    echo "setup.sh: needs root or sudo, to install: ${missing[*]}" >&2
    exit 2
  fi
  as_root=(sudo)
fi
release=$(. /etc/os-release && echo "${ID:-unknown} ${VERSION_ID:-}")
[[ $release == "debian 12" ]] || echo "setup: this is $release; only debian 12 is tested" >&2

echo "setup: installing ${#missing[@]} packages and what they need; this takes a minute or two"
echo "  ${missing[*]}"
log=$(mktemp)
trap 'rm --force "$log"' EXIT
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes
     -o Dpkg::Use-Pty=0 -o Acquire::Retries=3)
if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"; } > "$log" 2>&1; then
  cat "$log" >&2
  echo "setup.sh: apt-get failed, see above" >&2
  exit 1
fi
echo "setup: done"
