# common.sh - installs Debian packages that are missing, and configures builds; sourced by demo and test.
# shellcheck shell=bash

# need PROGRAM PACKAGE: marks PACKAGE as missing if PROGRAM does not exist and dpkg has not installed it. PROGRAM -: checks dpkg only.
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
  # These are needed as programs, not as services of this machine.
  local service
  for service in prometheus ser2net; do
    if [[ " ${missing[*]} " == *" $service "* ]] && [ -d /run/systemd/system ]; then
      "${as_root[@]}" systemctl disable --now --quiet "$service"
    fi
  done
  missing=()
}

# rather PROGRAM OTHER: installs the package PROGRAM, or the package OTHER if there is none.
rather() {
  command -v "$1" >/dev/null && return
  (missing=("$1") && install_missing) || true
  command -v "$1" >/dev/null || need "$2" "$2"
}

# has_options DIR OPTION...: succeeds if the build folder was configured with these options.
has_options() {
  local dir=$1 option
  shift
  for option in "$@"; do
    option=${option#--} option=${option#-D}
    grep -qsxF -e "${option/=/ = }" "$dir/meson-private/cmd_line.txt" || return 1
  done
}

# configure DIR OPTION...: sets up a build folder, or changes the options of an existing one. It leaves one that has them as it is: after
# `meson configure`, ninja evaluates all of meson.build again, even if no option has changed.
configure() {
  local dir=$1 verb=setup log
  shift
  if [ -f "$dir/build.ninja" ]; then
    ! has_options "$dir" "$@" || return 0
    verb=configure
  fi
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

# Further compilers and emulators for ports of the agent. Tests whose tool is missing are reported as skipped.
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

# Everything that test cases need, so that none is skipped; except what only the user can provide.
need_test_tools() {
  need_build_tools
  need_arm_tools
  need_port_tools
  need_fuzz_tools
  need - libcriterion-dev
  need clang-format clang-format
  rather chromium-headless-shell chromium # the headless shell takes half of the processor time
  need node nodejs
  need npm npm
  need git git
  need curl curl
  # Readers of the exports: their results are compared with the snapshot.
  need callgrind_annotate valgrind
  need protoc protobuf-compiler
  need promtool prometheus
  need gprof binutils
  # They check the installed man page and unit.
  need man man-db
  need systemd-analyze systemd
  # The agent's packages.
  need cmake cmake
  need - python3-yaml
  need - python3-kconfiglib
  need xtensa-lx106-elf-gcc gcc-xtensa-lx106
  need avr-gcc gcc-avr
  need - golang-1.19-go # for its pprof; nothing is compiled
  # A server of serial ports.
  need ser2net ser2net
}
