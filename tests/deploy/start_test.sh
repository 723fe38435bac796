#!/usr/bin/env bash
# What start.sh of the rehearsal's containers asks of the program, in each role, with a program that only says how it was called;
# that the real one follows an edited link.yaml; and that the health check finds every relay of it.
#   start_test.sh SOURCE PROGRAM
set -euo pipefail
rehearsal=$(realpath "$1/deploy/rehearsal")
program=$(realpath "$2")
folder=$(mktemp --directory)
trap 'rm --recursive --force "$folder"' EXIT
fail() { echo "start_test: $*" >&2; exit 1; }

# The container's own folders, below this one.
mkdir --parents "$folder"/{bin,keys,mine,public/west,public/east,results}
cp --recursive "$rehearsal" "$folder/rehearsal"
sed --in-place --regexp-extended "s#/(keys|mine|public|results)(/|\b)#$folder/\1\2#g" "$folder/rehearsal/start.sh"
for site in west east; do printf '# public\nkey-of-%s\n' "$site" > "$folder/public/$site/$site.pub"; done
cat > "$folder/bin/trestle" << 'STUB'
#!/bin/sh
if [ "$1" = keygen ]; then
  echo secret > "$4/$2.key"
  printf '# public\nkey-of-%s\n' "$2" > "$4/$2.pub"
  exit
fi
printf 'called:'
printf ' [%s]' "$@"
echo
STUB
chmod +x "$folder/bin/trestle"

# Starts a role and sets `said`, how the program was called or what the script said, and `ended`.
start() {
  ended=0
  said=$(cd "$folder/results" && PATH=$folder/bin:$PATH timeout 60 "$folder/rehearsal/start.sh" "$@" 2>&1) || ended=$?
  said=${said//$folder/}
}
expect() { [[ $said == *"$1"* ]] || fail "$scenario: expected $1, got: $said"; }
expect_not() { [[ $said != *"$1"* ]] || fail "$scenario: $1 is not expected: $said"; }

scenario="an integrator"
start integrator lab west east
[[ $ended == 0 ]] || fail "$scenario ended with $ended: $said"
expect "called: [run] [/rehearsal/distributed.yaml] [--set] [security.key=/keys/lab.key]"
expect "[--set] [sites.west.public_key='key-of-west'] [--set] [sites.east.public_key='key-of-east'] [--resume]"
[[ -e $folder/mine/lab.pub ]] || fail "$scenario did not show its public key"

scenario="an integrator that begins a new run"
TRESTLE_NEW_RUN=1 start integrator lab west east
expect "[--out] [runs/new-"
expect_not "[--resume]"
# The same container is started again: its new run is begun already.
TRESTLE_NEW_RUN=1 start integrator lab west east
expect "[--resume]"
expect_not "[--out] [runs/new-"
rm "$folder"/results/.new-run-of-*

# Never a run that nobody asked for.
scenario="resume without a run"
start resume lab west east
[[ $ended == 2 ]] || fail "$scenario ended with $ended: $said"
expect "start.sh: there is no run in /results/runs"
expect_not "called:"

scenario="resume"
mkdir --parents "$folder"/results/runs/{b-older,a-newer}
touch --date '2026-01-01' "$folder/results/runs/b-older"
touch --date '2026-01-02' "$folder/results/runs/a-newer"
start resume lab west east
[[ $ended == 0 ]] || fail "$scenario ended with $ended: $said"
expect "called: [resume] [/results/runs/a-newer]"
expect_not "[run]"

# Ended ones have a summary that says so.
scenario="runs that have ended"
for run in b-older a-newer; do
  touch "$folder/results/runs/$run/journal.db"
  echo '{"result": "complete", "resumable": false}' > "$folder/results/runs/$run/summary.json"
done
start integrator lab west east
expect "[--resume]"
expect_not "[--out]"

# A run that has not ended is resumed, or refused if it is of another test: the program is asked about its folder, whatever the
# folder is called and whichever run came later.
touch --date '2026-01-02' "$folder/results/runs/a-newer"
for summary in none resumable; do
  scenario="a run that has not ended, summary $summary"
  rm "$folder/results/runs/b-older/summary.json"
  [[ $summary == none ]] || printf '{\n  "result": "held",\n  "resumable": true\n}\n' > "$folder/results/runs/b-older/summary.json"
  touch --date '2026-01-01' "$folder/results/runs/b-older"
  start integrator lab west east
  expect "/results/runs/b-older has not ended"
  expect "[--resume] [--out] [/results/runs/b-older]"
  start resume lab west east
  expect "called: [resume] [/results/runs/b-older]"
  TRESTLE_NEW_RUN=1 start integrator lab west east
  expect "[--out] [runs/new-"
  rm "$folder"/results/.new-run-of-*
  echo '{}' > "$folder/results/runs/b-older/summary.json"
done

scenario="a site"
printf '# public\nkey-of-lab\n' > "$folder/public/lab.pub"
mkdir "$folder/public/lab"
mv "$folder/public/lab.pub" "$folder/public/lab/lab.pub"
start site west lab
expect "called: [site] [/rehearsal/site_west.yaml] [--out] [/results/west]"
expect "[security={key: /keys/west.key, peers: {lab: {public_key: 'key-of-lab'}}}]"

# Only what TRESTLE_LINK names takes the place of the file's own network.
scenario="a link as its file says"
start link ""
[[ $said == "called: [link] [/rehearsal/link.yaml]" ]] || fail "$scenario: $said"
start link
[[ $said == "called: [link] [/rehearsal/link.yaml]" ]] || fail "$scenario: $said"
scenario="a link with another network"
start link campus
[[ $said == "called: [link] [/rehearsal/link.yaml] [--set] [link=campus]" ]] || fail "$scenario: $said"

# Whoever waits for a key says whose, again and again.
scenario="a site whose integrator is not up"
sed --in-place 's/^between=30 .*/between=0/' "$folder/rehearsal/start.sh"
grep --quiet '^between=0$' "$folder/rehearsal/start.sh" || fail "start.sh does not say how often it says whom it waits for"
mv "$folder/public/lab/lab.pub" "$folder/lab.pub"
exec 3< <(cd "$folder/results" && PATH=$folder/bin:$PATH timeout 60 "$folder/rehearsal/start.sh" site west lab 2>&1)
for _ in once again; do
  read -r -t 60 -u 3 said || fail "$scenario says nothing"
  expect "waits for lab to lay down its public key $folder/public/lab/lab.pub"
done
mv "$folder/lab.pub" "$folder/public/lab/lab.pub"
said=$(cat <&3)
exec 3<&-
expect "called: [site]"

# The health check of a link, with a copy of /proc in which its program runs and port 7101 is listened at.
sed "s#/proc/#$folder/proc/#g" "$1/deploy/container/health.sh" > "$folder/health.sh"
mkdir --parents "$folder/proc/7" "$folder/proc/net"
printf 'trestle\0link\0%s\0' "$folder/link.yaml" > "$folder/proc/7/cmdline"
echo '   0: 00000000:1BBD 00000000:0000 0A 00000000:00000000' | tee "$folder/proc/net/tcp" > "$folder/proc/net/tcp6"
health() {  # its exit code, of a link.yaml with these relays
  printf '# listen: "*:9"\nrelays: {%s}\n' "$1" > "$folder/link.yaml"
  ended=0
  said=$(bash "$folder/health.sh" 2>&1) || ended=$?
}
for quote in '"' "'" ''; do
  scenario="the health of relays, quoted by ${quote:-nothing}"
  up="a: {listen: ${quote}0.0.0.0:7101${quote}, to: \"west:7001\"}"
  health "$up"
  [[ $ended == 0 ]] || fail "$scenario: the one that listens is unhealthy: $said"
  health "b: {listen: ${quote}0.0.0.0:7102${quote}, to: \"east:7001\"}, $up"
  [[ $ended == 1 ]] || fail "$scenario: one that does not listen is not missed"
done
scenario="the health of a link without a port"
health 'a: {to: "west:7001"}'
[[ $ended == 1 ]] || fail "$scenario: it is healthy"
expect "no relay in"

scenario="no role"
start dance
[[ $ended == 2 ]] || fail "$scenario ended with $ended: $said"
expect "start.sh: there is no role dance"

# The real program reads the edited file: what is wrong in it is refused.
scenario="an edited link.yaml"
ln --symbolic --force "$program" "$folder/bin/trestle"
sed --in-place 's/^link: ocean$/link: oceam/' "$folder/rehearsal/link.yaml"
grep --quiet '^link: oceam$' "$folder/rehearsal/link.yaml" || fail "link.yaml has no line \`link: ocean\` any more"
start link ""
[[ $ended == 2 ]] || fail "$scenario ended with $ended: $said"
expect "oceam"

# The real program begins no run beside one of another test.
scenario="an unfinished run of another test"
rm "$folder/bin/trestle" "$folder"/keys/* "$folder"/results/runs/*/summary.json
ln --symbolic "$program" "$folder/bin/trestle"
for site in west east; do
  "$program" keygen "$site" --out "$folder" > /dev/null
  mv "$folder/$site.pub" "$folder/public/$site/$site.pub"
done
printf 'test: another one\n' > "$folder/results/runs/b-older/effective.yaml"
touch --date '2026-01-01' "$folder/results/runs/a-newer"
touch --date '2026-01-02' "$folder/results/runs/b-older"
start integrator lab west east
[[ $ended == 2 ]] || fail "$scenario ended with $ended: $said"
expect "/results/runs/b-older has not ended"
expect "/results/runs/b-older: already holds the record of a run"
[[ $(ls "$folder/results/runs" | wc --lines) == 2 ]] || fail "$scenario: there is another folder: $(ls "$folder/results/runs")"
echo "start_test: each role calls the program as it shall, and an edited link.yaml takes effect"
