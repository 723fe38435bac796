#!/usr/bin/env bash
# From a bare Debian 12 to the first hybrid test: installs, builds, runs.
set -euo pipefail
cd "$(dirname "$0")/.."

./deploy/setup.sh
cmake --preset release -Wno-dev --log-level=WARNING
cmake --build --preset release --parallel "$(nproc)" \
  --target trestle udp_target openfresco modbus_tcp scpi_tcp trestle_python  # what the examples need

program=build/release/cli/trestle
folder=runs/first-test-$(date --utc +%Y%m%dT%H%M%SZ)
$program run examples/two_site_frame/test.yaml --out "$folder"
$program report "$folder" > /dev/null

echo
echo "See:  $PWD/$folder/report.html, in any browser: what the test did, in pictures. It needs no network."
echo "      To see the next one while it runs: $program watch FOLDER, in a second terminal; FOLDER is what run gets with --out."
echo "Next: change examples/two_site_frame/test.yaml, then: $program check examples/two_site_frame/test.yaml"
echo "      The pages call the program trestle: export PATH=$PWD/build/release/cli:\$PATH"
echo "      The same test as three processes: examples/two_site_frame/README.md. All tests: ./deploy/test.sh"
