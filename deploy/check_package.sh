#!/usr/bin/env bash
# Installs the Debian package into a clean container and looks at it as a new user would.
#   deploy/check_package.sh [PACKAGE.deb]     without one: that of deploy/package.sh
set -euo pipefail
cd "$(dirname "$0")/.."
package=$(realpath "${1:-$(ls build/release/trestle_*.deb)}")

./deploy/base-image.sh
# The image leaves man pages out; a laboratory's machine does not.
docker run --rm --volume "$package:/trestle.deb:ro" \
  --volume "$PWD/deploy/package:/package:ro" debian:bookworm-slim bash -c '
    set -e
    rm --force /etc/dpkg/dpkg.cfg.d/docker
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update
    apt-get -qq install --no-install-recommends /trestle.deb > /tmp/log 2>&1 || { cat /tmp/log >&2; exit 1; }
    trestle run /usr/share/trestle/examples/two_site_frame/test.yaml --out /tmp/alone > /dev/null
    echo "check_package: the package alone runs the first test"
    apt-get -qq install --no-install-recommends man-db bsdextrautils bash-completion cmake make gcc libc6-dev systemd python3-zmq python3-protobuf > /tmp/log 2>&1 || { cat /tmp/log >&2; exit 1; }
    useradd --create-home ada
    su ada -c /package/check_installed.sh
    mkdir /var/lib/trestle/west
    echo "of the laboratory" | tee /etc/trestle/west.yaml > /var/lib/trestle/west/journal.db
    apt-get -qq remove trestle > /dev/null
    if [[ -e /usr/bin/trestle ]]; then echo "check_package: the program is still there after apt-get remove" >&2; exit 1; fi
    apt-get -qq purge trestle > /dev/null
    if dpkg-query --show trestle > /dev/null 2>&1; then echo "check_package: dpkg knows the package after apt-get purge" >&2; exit 1; fi
    cmp /etc/trestle/west.yaml /var/lib/trestle/west/journal.db && getent passwd trestle > /dev/null ||
      { echo "check_package: apt-get purge took records or sites of the laboratory" >&2; exit 1; }
    echo "check_package: removed and purged; the records and sites of the laboratory are still there"'
echo "check_package: $package is good"
