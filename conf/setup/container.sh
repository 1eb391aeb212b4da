#!/usr/bin/env bash
# Build conf/deploy/Containerfile without a daemon, and run Sendlab in it: the streaming job and the plain engine.
# The base comes from its registry; where that is out of reach, the same Python is put together from Debian's packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. conf/setup/common.sh

place=.cache/container
base=$(sed -n 's/^FROM //p' conf/deploy/Containerfile)
builder() { buildah --storage-driver vfs --root "$PWD/$place/root" --runroot "$PWD/$place/run" "$@"; }
inside() { builder run --isolation chroot --network host "$container" -- "$@"; }

# A Debian with the base's Python, named as the base is. Its certificates are this machine's: a proxy may have its own.
base_from_packages() {
    command -v debootstrap >/dev/null || quietly apt_install debootstrap || stop "debootstrap cannot be installed."
    say "$base is out of reach: building it from Debian's packages (about 1 minute) ..."
    rm -rf "$place/debian"
    quietly as_root debootstrap --variant=minbase --include=python3,python3-pip,python3-venv,ca-certificates \
        "${base##*-}" "$PWD/$place/debian" || stop "Debian's packages cannot be fetched either."
    local made
    made=$(builder from scratch)
    quietly builder copy "$made" "$place/debian" / || stop "the base cannot be stored (see above)."
    if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
        quietly builder copy "$made" /etc/ssl/certs/ca-certificates.crt /opt/ca.crt
        builder config --env PIP_CERT=/opt/ca.crt --env SSL_CERT_FILE=/opt/ca.crt "$made"
    fi
    builder config --env PIP_BREAK_SYSTEM_PACKAGES=1 "$made"
    quietly builder commit --rm "$made" "$base" || stop "the base cannot be stored (see above)."
    rm -rf "$place/debian"
}

command -v buildah >/dev/null || quietly apt_install buildah || stop "no buildah: install it, or use podman build."
mkdir -p "$place"
if [ -z "$(builder images --quiet "$base" 2>/dev/null)" ] && ! quietly timeout 60 buildah --storage-driver vfs \
    --root "$PWD/$place/root" --runroot "$PWD/$place/run" pull --quiet "$base" 2>/dev/null; then
    base_from_packages
fi

began=$SECONDS
say "building conf/deploy/Containerfile (about 2 minutes) ..."
quietly builder bud --isolation chroot --pull=never --network host -t sendlab -f conf/deploy/Containerfile . ||
    stop "the container cannot be built (the end of its output is above)."
say "built in $((SECONDS - began)) s"

container=$(builder from --pull=never sendlab)
trap 'builder rm "$container" >/dev/null' EXIT
inside sendlab --version
inside sh -c 'sendlab scenarios quickstart --to /tmp >/dev/null' || stop "the container lacks the examples."
say "the streaming job and the plain engine, five seconds of the quickstart each ..."
quietly inside sendlab run /tmp/quickstart.yaml --out /out/job --for 5s || stop "the job does not run in the container."
quietly inside sendlab run /tmp/quickstart.yaml --out /out/plain --for 5s --engine plain || stop "nor the plain engine."
quietly inside sendlab diff /out/job /out/plain || stop "the two engines differ in the container."
quietly inside sendlab doctor || stop "sendlab doctor is not content in the container."
say "the container works: both engines give the same rows"
