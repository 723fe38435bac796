#!/usr/bin/env bash
# The driver of a rig links no library of the network, of YAML or of the records: what is not there cannot take it down.
#   driver_libraries_test.sh TRESTLE_DRIVER TRESTLE
set -euo pipefail
driver=$1
program=$2
if ! command -v ldd > /dev/null; then
  echo "there is no ldd"
  exit 77
fi
unwanted='libzmq|libyaml|libsqlite|libprotobuf|libsodium|libhdf5|libcurl|libssl'
# Also what its libraries bring with them.
linked=$(ldd "$driver")
if grep --extended-regexp "$unwanted" <<< "$linked"; then
  echo "$driver links the libraries above" >&2
  exit 1
fi
# The pattern finds them where they are, and no library of the driver hides ours.
grep --extended-regexp --quiet "$unwanted" <<< "$(ldd "$program")"
grep --quiet 'libc\.so' <<< "$linked"
# Neither are they inside it, linked statically.
for name in zmq_ctx_new sqlite3_open 4YAML; do
  grep --quiet --text --fixed-strings "$name" "$program"
  if grep --quiet --text --fixed-strings "$name" "$driver"; then
    echo "$driver has $name in it" >&2
    exit 1
  fi
done
