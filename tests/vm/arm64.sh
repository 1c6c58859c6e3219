#!/usr/bin/env bash
# Makes the arm64 packages on an amd64 machine, in a Debian of their own, so that this machine's
# packages stay as they are; then installs them in an arm64 Debian under qemu-user and runs every
# program there. Wants root, mmdebstrap, and qemu-user-static with binfmt_misc.
#
# usage: arm64.sh DIRECTORY    (the packages are left in DIRECTORY/packages)
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"/packages
directory=$(cd "$1" && pwd)
cross=$directory/cross
target=$directory/target

mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
update-binfmts --enable qemu-aarch64 2>/dev/null || true
[[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]] || {
    echo "skipped: this kernel has not been told to run arm64 programs (qemu-user-static)"
    exit 77
}

mounted=()
trap 'for place in "${mounted[@]}"; do umount -l "$place"; done' EXIT
bind() {
    mkdir -p "$2"
    mount --bind "$1" "$2"
    mounted=("$2" "${mounted[@]}")
}

# ---------------------------------------------------------------- where it is compiled
libraries=()
tools=(crossbuild-essential-arm64 file)
while read -r need name _; do
    [[ $need == build ]] || continue
    case $name in
        g++) ;;
        # Without machine code there is one for all architectures.
        libcli11-dev) tools+=("$name") ;;
        *-dev) libraries+=("$name:arm64") ;;
        *) tools+=("$name") ;;
    esac
done <"$source/.ci/packages"
if [[ ! -e $cross/made ]]; then
    echo "Makes the Debian that compiles"
    rm -rf "$cross"
    TMPDIR=$directory mmdebstrap --quiet --variant=minbase --mode=root --architectures=amd64,arm64 \
        --include="$(IFS=,; echo "${tools[*]},${libraries[*]}")" --dpkgopt=force-unsafe-io \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        bookworm "$cross" >/dev/null
    touch "$cross/made"
fi
# At the same paths inside as outside, so that ccache and messages name files that exist.
bind "$source" "$cross$source"
bind "$directory/packages" "$cross/packages"
mkdir -p "${CCACHE_DIR:=$HOME/.cache/ccache}"
bind "$CCACHE_DIR" "$cross/ccache"
bind /proc "$cross/proc"
chroot "$cross" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin CCACHE_DIR=/ccache CCACHE_BASEDIR="$source" \
    CCACHE_NOHASHDIR=1 JOBS="${JOBS:-$(nproc)}" bash -euc "
    cd '$source'
    cmake --preset deb-arm64 -B /build --log-level=WARNING
    nice -n 10 ninja -C /build -j \$JOBS
    cd /build
    rm -f *.deb /packages/*.deb
    dpkg-architecture -aarm64 -c cpack >/dev/null
    mv *.deb /packages/"
ls -l "$directory/packages"

# ---------------------------------------------------------------- where it runs
echo "Installs the packages in an arm64 Debian"
rm -rf "$target"
needed=$(for deb in "$directory"/packages/*.deb; do dpkg-deb -f "$deb" Depends; done | tr ',' '\n' |
    sed 's/^ *//; s/[ (|].*//' | sort -u | paste -sd,)
TMPDIR=$directory mmdebstrap --quiet --variant=minbase --mode=root --architectures=arm64 --include="$needed" \
    --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/locale/*' bookworm "$target" >/dev/null
inside() { chroot "$target" "$@"; }
bind "$directory/packages" "$target/mnt"
inside sh -c "dpkg -i /mnt/*.deb"
[[ $(inside dpkg --print-architecture) == arm64 ]]
inside dpkg-query -W xiangqid xiangqi-boardsim
inside getent passwd xiangqid

cp "$source/tests/logs/fast_reply.xsl" "$target/root/"
inside xiangqid --version
inside xiangqid --check-config --config /etc/xiangqid/xiangqid.toml
inside xiangqi-judge --lang en --moves "h2e2 h9g7" | tail -3
inside xiangqi-replay /root/fast_reply.xsl >"$directory/replayed"
grep -q '"type":"move"' "$directory/replayed"
inside xiangqi-boardsim --version
! inside xiangqictl status 2>/dev/null || exit 1

# The daemon plays a game on its simulated board, the arbiter asks it, and it ends when told to.
cat >"$target/root/sim.toml" <<'END'
[sensor]
driver = "sim"
speed = 5.0
[broadcast]
listen = "127.0.0.1:0"
http = "127.0.0.1:0"
END
bind /proc "$target/proc"
chroot "$target" xiangqid --config /root/sim.toml &
daemon=$!
for _ in $(seq 300); do
    inside xiangqictl status 2>/dev/null | grep -q '^Ply [1-9]' && break
    sleep 1
done
inside xiangqictl status
inside xiangqictl status | grep -q '^Ply [1-9]'
kill "$daemon"
wait "$daemon"
echo "the arm64 packages install and run"
