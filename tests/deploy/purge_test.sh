#!/usr/bin/env bash
# Purging the package takes its files and leaves what belongs to the laboratory: records, keys, sites, latched faults and the
# user who owns them (docs/howto/install.md). Works on a copy-on-write view of this machine; nothing outside it changes.
#   purge_test.sh SOURCE [PACKAGE.deb]
# With a package, dpkg installs and purges it; without one, the maintainer scripts are called as dpkg calls them.
set -euo pipefail
source_tree=$(realpath "$1")
package=${2:+$(realpath "$2")}

if [[ ${IN_VIEW:-} != yes ]]; then
  folder=$(mktemp --directory)
  trap 'rm --recursive --force "$folder"' EXIT
  # An overlay on an overlay (in a container) needs a file system of its own.
  view() {
    mount -t tmpfs none "$folder" && mkdir "$folder"/{up,work,root} &&
      mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/up,workdir=$folder/work" "$folder/root" &&
      mkdir --parents "$folder/root/package" && mount --bind "$source_tree/deploy/package" "$folder/root/package" &&
      mount -t tmpfs none "$folder/root/run" && mount --bind /dev "$folder/root/dev"
  }
  if [[ $EUID -ne 0 ]]; then echo "SKIPPED: a view of the root folder needs root"; exit 77; fi
  export -f view
  export folder source_tree
  if ! unshare --mount bash -c view 2> "$folder.why"; then
    echo "SKIPPED: no copy-on-write view of the root folder here: $(tail --lines 1 "$folder.why")"
    rm "$folder.why"
    exit 77
  fi
  rm "$folder.why"
  export package
  IN_VIEW=yes unshare --mount bash -c '
    set -e
    view
    cp "$0" "$folder/root/purge_test.sh"
    [[ -z $package ]] || cp "$package" "$folder/root/trestle.deb"
    exec chroot "$folder/root" bash /purge_test.sh /package ${package:+/trestle.deb}' "$0"
  exit
fi

# --- inside the view ---
fail() { echo "purge_test: $*" >&2; exit 1; }
export DEBIAN_FRONTEND=noninteractive
if [[ -n $package ]]; then
  install_it() { dpkg --force-depends --install "$package" > /tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log >&2; fail "dpkg could not install the package"; }; }
  remove_it() { dpkg --remove trestle > /tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log >&2; fail "dpkg could not remove the package"; }; }
  purge_it() { dpkg --purge trestle > /tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log >&2; fail "dpkg could not purge the package"; }; }
else
  install_it() { sh /package/postinst configure || fail "postinst configure ended with $?"; }
  remove_it() { { sh /package/prerm remove && sh /package/postrm remove; } || fail "a script ended with $? at the removal"; }
  purge_it() { sh /package/postrm purge || fail "postrm purge ended with $?"; }
fi
# Name, owner, mode and content of everything that is the laboratory's.
belongings() {
  find /etc/trestle /var/lib/trestle -printf '%p %u:%g %m\n' | sort
  find /etc/trestle /var/lib/trestle -type f -exec sha256sum {} + | sort
  getent passwd trestle
  getent group trestle
}

install_it
[[ $(stat --format '%U:%G %a' /var/lib/trestle) == 'trestle:trestle 750' ]] || fail "/var/lib/trestle is $(stat --format '%U:%G %a' /var/lib/trestle)"
[[ $(stat --format '%U:%G %a' /etc/trestle) == 'root:trestle 750' ]] || fail "/etc/trestle is $(stat --format '%U:%G %a' /etc/trestle)"
mkdir --parents /var/lib/trestle/{west,state/rig}
echo 'site: west' > /etc/trestle/west.yaml
for file in west/journal.db west/summary.json west.key state/rig/fault; do echo "of the laboratory: $file" > "/var/lib/trestle/$file"; done
chown --recursive trestle:trestle /var/lib/trestle
chmod 0600 /var/lib/trestle/west.key
belongings > /tmp/before
[[ $(wc --lines < /tmp/before) -ge 16 ]] || { cat /tmp/before >&2; fail "the laboratory has too little, see above"; }
[[ -z $package ]] || dpkg --listfiles trestle | while read -r file; do [[ -d $file ]] || echo "$file"; done > /tmp/files

compare() {
  belongings > /tmp/after || true
  diff /tmp/before /tmp/after >&2 || fail "$1 changed what belongs to the laboratory, see above"
}
remove_it
compare "the removal"
purge_it
compare "the purge"
if [[ -n $package ]]; then
  [[ $(wc --lines < /tmp/files) -gt 100 ]] || fail "the package has $(wc --lines < /tmp/files) files only"
  while read -r file; do [[ ! -e $file ]] || fail "$file is still there after the purge"; done < /tmp/files
  [[ -z $(dpkg-query --show --showformat='${db:Status-Abbrev}' trestle 2> /dev/null) ]] || fail "dpkg still knows the package after the purge"
fi
# A laboratory that comes back finds its own.
install_it
compare "the next installation"
echo "purge_test: removed, purged and installed again; $(wc --lines < /tmp/before) facts of the laboratory are as they were"
