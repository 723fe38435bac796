#!/usr/bin/env bash
# Rehearses a test of two laboratories in containers, undisturbed and disturbed, and checks what comes of it; on a
# fresh machine too: installs Docker, makes the base image, the package and the image.
#   deploy/rehearse_in_containers.sh [--built] [--no-build] [SCENARIO...]
#   --built      packages the program as it is built in build/release
#   --no-build   takes the image trestle as it is
#   SCENARIO     image, ocean, perfect, site-restart, site-paused, integrator-restart, network-cut, beyond-limit; default all
# Ends with 0 where every scenario came out as expected. docs/howto/run-in-containers.md.
set -euo pipefail
cd "$(dirname "$0")/.."

package=(./deploy/package.sh)
build=true
scenarios=()
for argument in "$@"; do
  case $argument in
    --built) package+=(--built) ;;
    --no-build) build=false ;;
    image | ocean | perfect | site-restart | site-paused | integrator-restart | network-cut | beyond-limit) scenarios+=("$argument") ;;
    *) echo "rehearse_in_containers.sh: unknown argument $argument; known: --built, --no-build, image, ocean, perfect, site-restart, site-paused, integrator-restart, network-cut, beyond-limit" >&2; exit 2 ;;
  esac
done
[[ ${#scenarios[@]} -gt 0 ]] || scenarios=(image ocean perfect site-restart site-paused integrator-restart network-cut beyond-limit)

export COMPOSE_PROJECT_NAME=trestle_rehearsal TRESTLE_FROM_PACKAGE=yes TRESTLE_IMAGE=${TRESTLE_IMAGE:-trestle}
work=$(mktemp --directory)
say() { printf '%(%H:%M:%S)T  %s\n' -1 "$*"; }
fail() { echo "rehearse_in_containers.sh: $*" >&2; exit 1; }

# --- Docker ---
install_docker() {
  local missing=()
  command -v dockerd > /dev/null || docker info > /dev/null 2>&1 || missing+=(docker.io)
  command -v docker-compose > /dev/null || docker compose version > /dev/null 2>&1 || missing+=(docker-compose)
  command -v debootstrap > /dev/null || docker image inspect debian:bookworm-slim > /dev/null 2>&1 || missing+=(debootstrap)
  [[ ${#missing[@]} -gt 0 ]] || return 0
  [[ $EUID -eq 0 ]] || fail "needs root to install ${missing[*]}"
  say "installing ${missing[*]}"
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "${missing[@]}" > "$work/apt.log" 2>&1 ||
    { cat "$work/apt.log" >&2; fail "apt-get failed, see above"; }
}
started_docker=
start_docker() {
  docker info > /dev/null 2>&1 && return
  [[ $EUID -eq 0 ]] || fail "Docker does not run, and starting it needs root"
  if [[ -d /run/systemd/system ]]; then
    systemctl start docker
  else
    dockerd > "$work/dockerd.log" 2>&1 &
    started_docker=$!
  fi
  for _ in $(seq 60); do docker info > /dev/null 2>&1 && return; sleep 1; done
  fail "Docker did not start within a minute"
}
compose() {
  if command -v docker-compose > /dev/null; then docker-compose --file deploy/compose.yaml "$@"
  else docker compose --file deploy/compose.yaml "$@"; fi
}
clean_up() {
  compose down --volumes > /dev/null 2>&1 || true
  [[ -z $started_docker ]] || kill "$started_docker"
  rm --recursive --force "$work"
}
trap clean_up EXIT

# --- what scenarios are made of ---
in_image() { docker run --rm --network none --entrypoint bash "$@"; }
rehearsal() { realpath "${TRESTLE_REHEARSAL:-deploy/rehearsal}"; }

# The record of the same test in one process, with nothing between.
reference() {
  in_image --volume "$(rehearsal):/rehearsal:ro" "$TRESTLE_IMAGE" -c '
    trestle run /rehearsal/test.yaml --set clock=virtual --out /tmp/here > /dev/null 2>&1 && trestle export /tmp/here --csv -' > "$work/here.csv"
}
begin() {
  compose down --volumes > /dev/null 2>&1 || true
  compose up --detach > "$work/up.log" 2>&1 || { cat "$work/up.log" >&2; fail "the containers did not start"; }
}
container() { compose ps --quiet "$1"; }
# Steps that the integrator has done; 0 before the first. With a number it waits for that many: inside the container, so
# that it is seen at once.
step() {
  docker exec "$(container integrator)" bash -c '
    end=$((SECONDS + 120))
    while true; do
      done=$(trestle status --json runs/*/ 2> /dev/null | sed -n "s/.*\"step\":\([0-9][0-9]*\),\"steps\".*/\1/p")
      [[ ${done:-0} -lt $0 && $SECONDS -lt $end ]] || break
      sleep 0.1
    done
    echo "${done:-0}"' "${1:-0}" 2> /dev/null || { compose logs --no-color --tail 20 >&2; fail "$scenario: the integrator ended before its time"; }
}
await_step() {
  local reached
  reached=$(step "$1")
  [[ $reached -ge $1 ]] || { compose logs --tail 20 >&2; fail "$scenario: the test did not reach step $1 within two minutes"; }
}
# Nothing moves now, and there is something left to do.
stands_still() {
  before=$(step)
  [[ $before -gt 0 && $before -lt 245 ]] || fail "$scenario: the test was at step $before when it was disturbed, too near its end"
  sleep 2
  [[ $(step) == "$before" ]] || fail "$scenario: the test went on without $1"
}
healthy() {
  for name in "$@"; do
    [[ $(docker inspect --format '{{.State.Health.Status}}' "$(container "$name")") == healthy ]] || return 1
  done
}
expect_end() {
  local code
  code=$(timeout 600 docker wait "$(container integrator)") || fail "$scenario: the test did not end within ten minutes"
  compose logs --no-color > "$work/$scenario.log" 2>&1
  [[ $code == "$1" ]] || { tail --lines 60 "$work/$scenario.log" >&2; fail "$scenario: the test ended with $code, not with $1"; }
}
expect_same_record() {
  in_image --user 10001:10001 --volume "${COMPOSE_PROJECT_NAME}_results-lab:/results" "$TRESTLE_IMAGE" -c '
    set -- runs/*/
    if [[ $# != 1 ]]; then echo "there are $# runs, not one: $*" >&2; exit 1; fi
    trestle export "$1" --csv -' > "$work/far.csv"
  cmp "$work/here.csv" "$work/far.csv" || fail "$scenario: the record is not that of the run in one process"
  say "$scenario: exit 0; $(($(wc --lines < "$work/far.csv") - 1)) rows, byte for byte those of the run in one process"
}
expect_said() {
  local said
  said=$(compose logs --no-color "$1" 2>&1)
  grep --quiet -- "$2" <<< "$said" || { echo "$said" >&2; fail "$scenario: $1 did not say: $2"; }
}

# --- the scenarios ---
# What the image says of itself, and that it has nothing else to run.
image() {
  local version found
  version=$(sed -n 's/^project(trestle VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
  label() { docker image inspect --format "{{index .Config.Labels \"org.$1\"}}" "$TRESTLE_IMAGE:$version"; }
  docker image inspect "$TRESTLE_IMAGE:$version" > /dev/null 2>&1 || fail "image: there is no tag $TRESTLE_IMAGE:$version"
  for name in title description licenses revision; do
    [[ -n $(label "opencontainers.image.$name") ]] || fail "image: it has no label org.opencontainers.image.$name"
  done
  [[ $(label opencontainers.image.version) == "$version" ]] || fail "image: its label does not say version $version"
  [[ $(docker image inspect --format '{{.Config.User}}' "$TRESTLE_IMAGE:$version") =~ ^[1-9][0-9]*:[1-9] ]] || fail "image: it runs as root"
  found=$(in_image --user 0:0 "$TRESTLE_IMAGE:$version" -c '
    for tool in apt apt-get dpkg dpkg-query perl python3; do command -v "$tool"; done
    find / -xdev -type f -perm /6000') || fail "image: its files cannot be listed"
  [[ -z $found ]] || fail "image: it has a package manager, an interpreter or a setuid file: $found"
  found=$(in_image "$TRESTLE_IMAGE:$version" -c "grep ^PackageName: '$(label trestle.sbom)'") || fail "image: it has no list of its packages"
  for package in trestle libc6 libzmq5; do
    grep --quiet --line-regexp "PackageName: $package" <<< "$found" || fail "image: the list of its packages does not name $package"
  done
  say "image: $version with its labels, no package manager, no setuid file, a list of $(wc --lines <<< "$found") packages"
}

# The way a user starts it: in the foreground, ending with the exit code of the test.
run_to_the_end() {
  local code=0
  compose down --volumes > /dev/null 2>&1 || true
  TRESTLE_LINK=$1 compose up --abort-on-container-exit > "$work/$scenario.log" 2>&1 || code=$?
  [[ $code == "$2" ]] || { tail --lines 60 "$work/$scenario.log" >&2; fail "$scenario: up ended with $code, not with $2"; }
}
ocean() { run_to_the_end ocean 0; expect_same_record; }
# As compose itself waits for them: every health check passes while the test runs.
await_health() {
  for _ in $(seq 60); do healthy integrator link west east && return; sleep 0.5; done
  docker ps >&2
  fail "$scenario: a health check does not pass while the test runs"
}
perfect() { run_to_the_end '{delay: 0 s}' 0; expect_same_record; }

site-restart() {
  TRESTLE_LINK=ocean begin
  local before west
  west=$(container west)
  await_step 20
  await_health
  docker kill "$west" > /dev/null
  sleep 5
  stands_still west
  say "$scenario: west is dead, the test waits at step $before"
  docker start "$west" > /dev/null
  await_step $((before + 3))
  say "$scenario: the test goes on"
  expect_end 0
  expect_same_record
}

# As a host does that is out of memory, or that somebody suspends: nothing of west runs, and nothing is lost.
site-paused() {
  TRESTLE_LINK=ocean begin
  local before west
  west=$(container west)
  await_step 20
  docker pause "$west" > /dev/null
  sleep 18
  stands_still west
  say "$scenario: west was paused for twenty seconds, the test waited at step $before"
  docker unpause "$west" > /dev/null
  await_step $((before + 3))
  say "$scenario: the test goes on"
  expect_end 0
  expect_same_record
}

# The integrator's container is killed and started again, as by `docker start` or a restart policy.
integrator-restart() {
  TRESTLE_LINK=ocean begin
  local before integrator
  integrator=$(container integrator)
  await_step 20
  before=$(step)
  docker kill "$integrator" > /dev/null
  sleep 7  # longer than the sites' watchdogs
  expect_said west HOLDING
  expect_said east HOLDING
  say "$scenario: the integrator is dead since step $before, both sites hold"
  docker start "$integrator" > /dev/null
  await_step $((before + 3))
  say "$scenario: the test is resumed in the same folder"
  expect_end 0
  expect_same_record
}

network-cut() {
  TRESTLE_LINK=ocean begin
  local network=${COMPOSE_PROJECT_NAME}_there relay before
  relay=$(container link)
  await_step 40
  docker network disconnect --force "$network" "$relay"
  sleep 13
  stands_still "its sites"
  docker network connect --alias link "$network" "$relay"
  say "$scenario: the network was cut for fifteen seconds, the test waited at step $before"
  expect_said west HOLDING  # by itself: its watchdog has 5 s
  expect_said east HOLDING
  await_step $((before + 3))
  say "$scenario: the test goes on"
  expect_end 0
  expect_same_record
}

# A user's own test: a copy of the folder, here with a limit at west that the test does not keep.
beyond-limit() {
  cp --recursive deploy/rehearsal "$work/own"
  sed --in-place 's/displacement: 60 mm, /displacement: 2 mm, /' "$work/own/site_west.yaml"
  chmod --recursive a+rX "$work" "$work/own"
  TRESTLE_REHEARSAL=$work/own run_to_the_end campus 3
  # Refused before anything moves for it: no fault, and nothing to be cleared.
  TRESTLE_REHEARSAL=$work/own expect_said west 'HOLDING .* above its limit 2 mm (site limit, /rehearsal/site_west.yaml:'
  say "$scenario: west refuses a target beyond its limit, all rigs hold, exit 3"
}

install_docker
start_docker
if $build; then
  ./deploy/base-image.sh
  "${package[@]}"
  ./deploy/image.sh > "$work/build.log" 2>&1 || { cat "$work/build.log" >&2; fail "the image could not be built"; }
  say "$(tail --lines 1 "$work/build.log")"
fi
reference
for scenario in "${scenarios[@]}"; do "$scenario"; done
say "all ${#scenarios[@]} rehearsals came out as expected"
