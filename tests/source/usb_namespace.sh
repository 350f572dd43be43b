#!/bin/sh
# usb_namespace.sh PROGRAM ARGUMENTS... - runs the program where /dev and /sys/class/tty are its own, and the latter
# knows a USB adapter called ttyUSB7. The program makes /dev/ttyUSB7 a link to a pty of its own, and libserialport
# takes it for the real thing. Where no private mounts are available, it prints a skipped TAP test.
set -eu

if [ "${1-}" != --inside ]; then
    # What is mounted stays inside since it lies below /dev and /sys, which are made private there. For / that cannot
    # be said where it is no mount of its own, as in a chroot.
    for how in -m -Urm; do
        if unshare $how --propagation unchanged mount --make-rprivate /dev 2>/dev/null; then
            exec unshare $how --propagation unchanged sh "$0" --inside "$@"
        fi
    done
    echo '1..0 # SKIP private mounts (unshare -m) are not allowed here'
    exit 0
fi
shift
here=/dev/shm

skip() {
    echo "1..0 # SKIP $1"
    exit 0
}

mount --make-rprivate /dev || skip '/dev is no mount of its own'
mount --make-rprivate /sys || skip '/sys is no mount of its own'
mount -t tmpfs tmpfs "$here" || skip 'no tmpfs can be mounted here'
mkdir "$here/dev" "$here/dev/pts" "$here/dev/shm" "$here/tty"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$here/dev/pts" || skip 'no devpts can be mounted here'
ln -s pts/ptmx "$here/dev/ptmx"
for device in null zero full random urandom tty; do
    : >"$here/dev/$device"
    mount --bind "/dev/$device" "$here/dev/$device" || skip "/dev/$device cannot be mounted elsewhere"
done
# What the device says of itself is not to be trusted: its serial number has an escape sequence and is no UTF-8.
usb=.usb1/1-1 leaf=1-1:1.0/ttyUSB7/tty/ttyUSB7
mkdir -p "$here/tty/$usb/$leaf"
ln -s ../../../ttyUSB7 "$here/tty/$usb/$leaf/device"
for fact in busnum=1 devnum=7 idVendor=0403 idProduct=6001 product=Adapter manufacturer=Maker 'serial=A\0033[2J\03777'; do
    printf '%b\n' "${fact#*=}" >"$here/tty/$usb/${fact%%=*}"
done
ln -s "$usb/$leaf" "$here/tty/ttyUSB7"
mount --bind "$here/tty" /sys/class/tty || skip '/sys/class/tty cannot be covered'
mount --rbind "$here/dev" /dev || skip '/dev cannot be covered'
exec "$@"
