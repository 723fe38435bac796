#!/usr/bin/env bash
# Builds the image of Trestle and tags it with its version: trestle:0.1.0 and trestle:latest. docs/howto/run-in-containers.md.
#   TRESTLE_IMAGE          its name (default: trestle)
#   TRESTLE_FROM_PACKAGE   yes: of the package in build/release; no (default): builds the package first
set -euo pipefail
cd "$(dirname "$0")/.."
name=${TRESTLE_IMAGE:-trestle}
version=$(sed -n 's/^project(trestle VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
revision=$(git rev-parse HEAD 2> /dev/null || echo unknown)
epoch=$(git log -1 --format=%ct 2> /dev/null || date +%s)
docker build --quiet --file deploy/Dockerfile --build-arg "FROM_PACKAGE=${TRESTLE_FROM_PACKAGE:-no}" \
  --build-arg "VERSION=$version" --build-arg "REVISION=$revision" \
  --build-arg "SOURCE_DATE_EPOCH=$epoch" --tag "$name:$version" --tag "$name:latest" .
echo "image $name:$version, $(docker image inspect --format '{{.Size}}' "$name:$version") bytes"
