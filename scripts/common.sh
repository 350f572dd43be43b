# common.sh - installs Debian packages that are missing, and configures builds; sourced by demo and test.
# shellcheck shell=bash

# need PROGRAM PACKAGE: the package is there when the program is, or (PROGRAM -) when dpkg has it.
missing=()
need() {
  if [ "$1" != - ] && command -v "$1" >/dev/null; then return; fi
  if dpkg-query -W -f '${Status}' "$2" 2>/dev/null | grep -q 'ok installed'; then return; fi
  missing+=("$2")
}

install_missing() {
  [ ${#missing[@]} -gt 0 ] || return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "These Debian packages are missing, and installing them needs root: ${missing[*]}" >&2
      exit 1
    }
    as_root=(sudo)
  fi
  echo "Installing: ${missing[*]}"
  "${as_root[@]}" apt-get update -q >/dev/null
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null
  # Wanted as programs, not as services of this machine.
  local service
  for service in prometheus ser2net; do
    if [[ " ${missing[*]} " == *" $service "* ]] && [ -d /run/systemd/system ]; then
      "${as_root[@]}" systemctl disable --now --quiet "$service"
    fi
  done
  missing=()
}

# rather PROGRAM OTHER: installs PROGRAM by the package of that name; where there is none, OTHER will do.
rather() {
  command -v "$1" >/dev/null && return
  (missing=("$1") && install_missing) || true
  command -v "$1" >/dev/null || need "$2" "$2"
}

# configure DIR OPTION...: sets a build folder up, or changes the options of one that is there.
configure() {
  local dir=$1 verb=setup log
  shift
  if [ -f "$dir/build.ninja" ]; then verb=configure; fi
  log=$(meson $verb "$dir" "$@" 2>&1) || {
    echo "$log" >&2
    exit 1
  }
}

need_build_tools() {
  need gcc gcc
  need g++ g++
  need - libc6-dev
  need meson meson
  need ninja ninja-build
  need pkg-config pkg-config
  need python3 python3
  local library
  for library in libserialport-dev libmicrohttpd-dev libcjson-dev libexpat1-dev libelf-dev libdw-dev libcapstone-dev libiberty-dev \
    zlib1g-dev; do
    need - "$library"
  done
}

need_arm_tools() {
  need arm-none-eabi-gcc gcc-arm-none-eabi
  need qemu-system-arm qemu-system-arm
}

# What ports of the agent are compiled and run with besides; tests of what is missing are skipped by name.
need_port_tools() {
  need clang clang
  need ld.lld lld
  need riscv64-unknown-elf-gcc gcc-riscv64-unknown-elf
  need qemu-system-riscv32 qemu-system-misc
}

# For scripts/fuzz: clang with its fuzzer.
need_fuzz_tools() {
  need clang clang
  need - libclang-rt-dev
}

configure_fuzz() {
  CC=clang CXX=clang++ configure build-fuzz -Db_sanitize=address,undefined -Db_lundef=false -Db_pie=false -Dbuildtype=debug -Doptimization=1 \
    -Dc_args='-fsanitize=fuzzer-no-link -fno-sanitize-recover=all'
}

# All that a case of the tests would be skipped for want of, except what is the user's own.
need_test_tools() {
  need_build_tools
  need_arm_tools
  need_port_tools
  need_fuzz_tools
  need - libcriterion-dev
  need clang-format clang-format
  rather chromium-headless-shell chromium # without windows, for half of the work
  need node nodejs
  need npm npm
  need git git
  need curl curl
  # Readers of the exports: what they read is compared with the snapshot.
  need callgrind_annotate valgrind
  need protoc protobuf-compiler
  need promtool prometheus
  need gprof binutils
  # What is installed: the man page and the unit.
  need man man-db
  need systemd-analyze systemd
  # The agent's packages.
  need cmake cmake
  need - python3-yaml
  need - python3-kconfiglib
  need xtensa-lx106-elf-gcc gcc-xtensa-lx106
  need avr-gcc gcc-avr
  need - golang-1.19-go # for the pprof in it; nothing is compiled
  # A server of serial ports.
  need ser2net ser2net
}
