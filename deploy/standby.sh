#!/bin/sh
# Runs a standby of the server that PRIMARY describes, a copy of which is made first where there is none. The arguments
# are PostgreSQL's.
#
# A standby that was away for more than the primary keeps (wal_keep_size) cannot catch up: remove its volume.
set -eu

if [ ! -d "$PGDATA" ]; then
  # Under another name until it is whole: half a copy must never be started.
  rm -rf "$PGDATA.part"
  pg_basebackup --dbname="$PRIMARY" --no-password --pgdata="$PGDATA.part" --write-recovery-conf --checkpoint=fast
  mv "$PGDATA.part" "$PGDATA"
fi
exec postgres "$@"
