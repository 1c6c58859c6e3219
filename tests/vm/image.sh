#!/usr/bin/env bash
# Makes what a guest boots from: kernel, initramfs and a root file system with Debian 12, systemd and
# the packages that ours depend on, and a shell that the test speaks to. Wants root.
#
# usage: image.sh ARCHITECTURE DIRECTORY PACKAGE.deb...
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
architecture=$1
mkdir -p "$2"
directory=$(cd "$2" && pwd)
shift 2
root=$directory/root
work=$directory/work

# What the guest cannot fetch, for it has no network beyond this machine.
needed=$(for deb in "$@"; do dpkg-deb -f "$deb" Depends; done | tr ',' '\n' | sed 's/^ *//; s/[ (|].*//' | sort -u |
    paste -sd,)
packages=systemd,systemd-sysv,udev,kmod,dbus,busybox-static,$needed

rm -rf "$root" "$work"
mkdir -p "$work"
echo "Debian 12 for $architecture: $packages"
TMPDIR=$directory mmdebstrap --quiet --variant=minbase --mode=root --architectures="$architecture" \
    --include="$packages" --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook='chroot "$1" sh -c "cd /tmp && apt-get -q update && apt-get -q download \
        \$(apt-cache depends linux-image-'"$architecture"' | sed -n \"s/^  Depends: //p\")"' \
    --customize-hook="mv \"\$1\"/tmp/linux-image-*.deb $work/" \
    bookworm "$root" >/dev/null

# ---------------------------------------------------------------- the kernel and its modules
dpkg-deb -x "$work"/linux-image-*.deb "$work/kernel"
version=$(ls "$work/kernel/lib/modules")
cp "$work/kernel/boot/vmlinuz-$version" "$directory/kernel"
depmod -b "$work/kernel" "$version"

# The files of modules and of what they need, in the order in which they are loaded.
modules() {
    local module
    for module in "$@"; do
        modprobe -d "$work/kernel" -S "$version" --show-depends "$module" 2>/dev/null || true
    done | awk '$1 == "insmod" && !seen[$2]++ {print $2}'
}
modules dummy_hcd libcomposite usb_f_fs virtio_net virtio_console virtio_rng autofs4 overlay |
    while read -r file; do
        install -D -m644 "$file" "$root/usr/${file#"$work/kernel/"}"
    done
cp "$work/kernel/lib/modules/$version"/modules.{order,builtin,builtin.modinfo} \
    "$root/usr/lib/modules/$version/"
depmod -b "$root" "$version"

# ---------------------------------------------------------------- the initramfs
initramfs=$work/initramfs
mkdir -p "$initramfs"/{bin,dev,proc,sys,root,modules}
cp "$root/bin/busybox" "$initramfs/bin/"
for applet in sh mount insmod switch_root cat; do ln -s busybox "$initramfs/bin/$applet"; done
modules virtio_pci virtio_blk ext4 | while read -r file; do
    cp "$file" "$initramfs/modules/"
    basename "$file" >>"$initramfs/modules/order"
done
cat >"$initramfs/init" <<'END'
#!/bin/sh
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
for module in $(cat /modules/order); do insmod /modules/$module; done
mount -t ext4 /dev/vda /root
mount -o move /dev /root/dev
exec switch_root /root /sbin/init
END
chmod +x "$initramfs/init"
(cd "$initramfs" && find . | cpio --quiet -o -H newc | gzip -1) >"$directory/initramfs"

# ---------------------------------------------------------------- the guest's own files
install -D -m755 "$here/guest_shell.sh" "$root/usr/local/sbin/guest-shell"
cat >"$root/etc/systemd/system/guest-shell.service" <<'END'
[Unit]
Description=Shell of the test
[Service]
ExecStart=/usr/local/sbin/guest-shell /dev/virtio-ports/shell
[Install]
WantedBy=multi-user.target
END
cat >"$root/etc/systemd/network/all.network" <<'END'
[Match]
Name=en* eth*
[Network]
Address=10.0.2.15/24
END
echo virtio_console >"$root/etc/modules-load.d/guest.conf"
echo 'guest' >"$root/etc/hostname"
: >"$root/etc/fstab"
ln -sf /dev/null "$root/etc/systemd/system/systemd-networkd-wait-online.service"
mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
for unit in /etc/systemd/system/guest-shell.service /lib/systemd/system/systemd-networkd.service; do
    ln -sf "$unit" "$root/etc/systemd/system/multi-user.target.wants/"
done
for unit in apt-daily.timer apt-daily-upgrade.timer getty.target systemd-timesyncd.service; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
done
rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*.bin "$root"/tmp/*

size=$(($(du -sm "$root" | cut -f1) + 200))
rm -f "$directory/root.img"
mke2fs -q -t ext4 -d "$root" "$directory/root.img" "${size}M"
rm -rf "$root" "$work"
