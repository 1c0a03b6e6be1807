#!/bin/bash
# Boots systemd beside the system's own: in namespaces, in a cgroup of its own, and with folders of its own
# wherever a service may write. It knows the units of one folder and no others. All of it ends with stdin.
#
# boot-systemd.sh NODE REPOSITORY FOLDER: FOLDER/units are the units, FOLDER/lookup is /etc/lookup
# Prints the process id of systemd, for nsenter.
set -eu
node=$1 repository=$2 folder=$3

if [ "${4-}" = inside ]; then
  # /sys shows the cgroups of this namespace: systemd's own begin at its root.
  umount -R /sys/fs/cgroup
  mount -t cgroup2 cgroup2 /sys/fs/cgroup
  mount -t tmpfs tmpfs /opt
  mkdir -p /opt/repository /opt/units /opt/lookup/node_modules/.bin /opt/etc
  mount --bind "$repository" /opt/repository
  cp -r "$folder"/units/. /opt/units
  cp -a /etc/. /opt/etc
  rm -rf /opt/etc/lookup
  cp -r "$folder/lookup" /opt/etc/lookup
  mount --bind /opt/etc /etc
  # Where a user has installed Node and the package.
  touch /opt/node
  mount --bind "$node" /opt/node
  ln -s /opt/repository/src/lookup.js /opt/lookup/node_modules/.bin/lookup
  for own in /run /tmp /var; do mount -t tmpfs tmpfs "$own"; done
  # As systemd itself does it outside of containers: how credentials get to a service.
  mount --make-rshared /
  exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin SYSTEMD_UNIT_PATH=/opt/units \
    /lib/systemd/systemd --system --unit=lookup.service --log-target=console --show-status=0
fi

mount --make-rprivate /
cgroups=$(mktemp -d)
mount -t cgroup2 cgroup2 "$cgroups"
own=$cgroups/lookup-test-$$
mkdir "$own"
echo $$ > "$own/cgroup.procs"
unshare --cgroup --mount --pid --ipc --uts --fork --kill-child --mount-proc "$0" "$@" inside < /dev/null >&2 &
child=$!
while systemd=$(cat "/proc/$child/task/$child/children") && [ -z "$systemd" ]; do sleep 0.05; done
[ -z "$systemd" ] || echo $systemd
# The test that started it may be killed: its end of the pipe is then closed, too.
cat <&0 > /dev/null &
wait -n $child $! || true
{ kill -9 $child && wait $child; } 2> /dev/null || true
echo $$ > "$cgroups/cgroup.procs"
# Processes that were killed leave their cgroups a moment later.
for _ in 1 2 3 4 5 6 7 8 9 10; do
  if find "$own" -depth -type d -exec rmdir {} + 2> /dev/null; then break; fi
  sleep 0.2
done
umount "$cgroups"
rmdir "$cgroups"
