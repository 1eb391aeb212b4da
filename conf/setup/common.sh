# Shared by the set-up scripts; sourced, from the top of the checkout.

# What setup is doing, for steps that take longer than a breath.
say() { printf 'setup: %s\n' "$*"; }

# A reason and what to do, then exit code 3: the environment lacks something.
stop() { printf 'setup: %s\n' "$*" >&2; exit 3; }

# quietly COMMAND...: its output only if it fails, and then the end of it.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [ "$status" -ne 0 ]; then tail -n 25 "$log" >&2; fi
    rm -f "$log"
    return "$status"
}

# as_root COMMAND...: as root or through a sudo that asks for no password.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Whether packages can be installed through apt without asking anybody.
can_apt() {
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null
}

# apt_install PACKAGE...: the first of them that this system offers; fails if there is none.
apt_install() {
    local package policy
    quietly as_root apt-get update || return 1
    for package in "$@"; do
        policy=$(apt-cache policy "$package" 2>/dev/null || true)
        [[ $policy =~ Candidate:\ [0-9] ]] || continue
        # Slim images have no man pages folder, and Java's package stops without it.
        as_root mkdir -p /usr/share/man/man1
        quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$package"
        return
    done
    return 1
}
