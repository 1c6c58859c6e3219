# What ./run and ./check share. Sourced by bash with the current directory at the project's top.

say() { printf '\n== %s\n' "$*"; }

fail() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# Installs those packages of .ci/packages that are missing; the arguments choose the lines.
install_packages() {
    local need name why missing=()
    while read -r need name why; do
        [[ " $* " == *" $need "* ]] || continue
        command -v "$name" >/dev/null && continue
        dpkg-query -W -f='${db:Status-Abbrev}' "$name" 2>/dev/null | grep -q '^ii' && continue
        [[ ${#missing[@]} -gt 0 ]] || say "Installs what is missing, with apt-get:"
        printf '   %-22s %s\n' "$name" "$why"
        missing+=("$name")
    done < .ci/packages
    [[ ${#missing[@]} -gt 0 ]] || return 0

    command -v apt-get >/dev/null ||
        fail "there is no apt-get here; please install the packages above, or their likes, yourself"
    local as_root=(env DEBIAN_FRONTEND=noninteractive)
    if [[ $EUID -ne 0 ]]; then
        command -v sudo >/dev/null || fail "please run this as root once, or install sudo"
        as_root=(sudo "${as_root[@]}")
    fi
    "${as_root[@]}" apt-get update -qq </dev/null
    "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null
}

# How many compilers fit: one a core, but each may want 700 MB, and a Raspberry Pi has little.
jobs_that_fit() {
    local cores memory_kb
    cores=$(nproc)
    memory_kb=$(awk '/^MemAvailable/ {print $2}' /proc/meminfo)
    local fit=$((memory_kb / 700000))
    echo $((fit < 1 ? 1 : fit < cores ? fit : cores))
}

# A new checkout elsewhere finds what an older one has compiled.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
