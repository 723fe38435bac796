#!/usr/bin/env bash
# Sees to it that Docker has the image that deploy/Dockerfile begins with: debian:bookworm-slim. Takes
# it from the registry; where no registry is reachable makes it from Debian's archive with debootstrap.
#   TRESTLE_DEBIAN_MIRROR   archive for debootstrap (default: http://deb.debian.org/debian)
#   TRESTLE_OFFLINE=1       does not ask the registry
set -euo pipefail

image=debian:bookworm-slim
mirror=${TRESTLE_DEBIAN_MIRROR:-http://deb.debian.org/debian}

if docker image inspect "$image" > /dev/null 2>&1; then
  echo "base image: $image is here"
  exit 0
fi
if [[ ${TRESTLE_OFFLINE:-} != 1 ]] && timeout 120 docker pull --quiet "$image" 2> /dev/null; then
  echo "base image: $image came from the registry"
  exit 0
fi
if [[ $EUID -ne 0 ]]; then
  echo "base-image.sh: no registry is reachable, and debootstrap needs root: run this script as root" >&2
  exit 2
fi
if ! command -v debootstrap > /dev/null; then
  echo "base-image.sh: no registry is reachable; install debootstrap, then run this script again" >&2
  exit 2
fi

root=$(mktemp --directory)
trap 'rm --recursive --force "$root"' EXIT
echo "base image: no registry is reachable; making $image from $mirror, a minute or two"
if ! debootstrap --variant=minbase bookworm "$root/tree" "$mirror" > "$root/log" 2>&1; then
  tail --lines 20 "$root/log" >&2
  echo "base-image.sh: debootstrap failed, see above" >&2
  exit 1
fi
# What the slim image of the registry leaves out as well, now and when packages are installed later.
cat > "$root/tree/etc/dpkg/dpkg.cfg.d/docker" << 'RULES'
path-exclude /usr/share/doc/*
path-include /usr/share/doc/*/copyright
path-exclude /usr/share/groff/*
path-exclude /usr/share/info/*
path-exclude /usr/share/linda/*
path-exclude /usr/share/lintian/*
path-exclude /usr/share/locale/*
path-exclude /usr/share/man/*
RULES
cat > "$root/tree/etc/apt/sources.list" << 'SOURCES'
deb http://deb.debian.org/debian bookworm main
deb http://deb.debian.org/debian bookworm-updates main
deb http://deb.debian.org/debian-security bookworm-security main
SOURCES
find "$root/tree/usr/share/doc" -type f ! -name copyright -delete
rm --recursive --force "$root/tree/var/cache/apt/archives" "$root/tree/var/lib/apt/lists" \
  "$root/tree/usr/share/man" "$root/tree/usr/share/locale" "$root/tree/usr/share/info" \
  "$root/tree/usr/share/groff" "$root/tree/usr/share/lintian"
mkdir --parents "$root/tree/var/lib/apt/lists/partial" "$root/tree/var/cache/apt/archives/partial"
rm --force "$root/tree/etc/resolv.conf" "$root/tree/etc/hostname"
tar --create --directory "$root/tree" . | docker import --change 'CMD ["bash"]' - "$image" > /dev/null
echo "base image: made $image, $(docker image inspect --format '{{.Size}}' "$image") bytes"
