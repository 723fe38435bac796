#!/usr/bin/env bash
# From a bare Debian 12 to the first hybrid test: installs, builds, runs.
set -euo pipefail
cd "$(dirname "$0")/.."

./deploy/setup.sh
cmake --preset release -Wno-dev --log-level=WARNING
cmake --build --preset release --parallel "$(nproc)" \
  --target trestle udp_target openfresco trestle_python  # what the examples need

program=build/release/cli/trestle
$program run examples/two_site_frame/test.yaml

echo
echo "Next: change examples/two_site_frame/test.yaml, then: $program check examples/two_site_frame/test.yaml"
echo "      The same test as three processes: examples/two_site_frame/README.md. All tests: ./deploy/test.sh"
