#!/bin/sh
# Pins the images of compose.yaml and of the Dockerfile to the digests that their tags have now. Needs Docker with
# Buildx, and writes both files.
set -eu
cd "$(dirname "$0")/.."

for file in compose.yaml Dockerfile; do
  for pinned in $(grep -Eo '[a-z0-9./-]+:[A-Za-z0-9._-]+@sha256:[0-9a-f]{64}' "$file" | sort -u); do
    tag=${pinned%@*}
    # The digest of the index: that of one platform would not run on another.
    digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$tag")
    if ! echo "$digest" | grep -Eqx 'sha256:[0-9a-f]{64}'; then
      echo "$tag: not a digest: $digest" >&2
      exit 1
    fi
    sed "s|$pinned|$tag@$digest|" "$file" > "$file.new"
    mv "$file.new" "$file"
    echo "$file: $tag@$digest"
  done
done
