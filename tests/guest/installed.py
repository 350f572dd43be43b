#!/usr/bin/env python3
"""installed.py - installs the Debian package on this machine, uses it as a user in group dialout, and removes it.

usage: installed.py MINIPROFD_SOURCES EXAMPLE_HOST
It installs packages and makes a user, so run it on a disposable machine: a container or a chroot, as root, with INSTALL_HERE=1. Prints TAP."""
import glob
import grp
import os
import pwd
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402

ROOT, EXAMPLE_HOST = map(os.path.abspath, sys.argv[1:3])
FOLDER = tempfile.TemporaryDirectory(prefix="miniprofd-test-")
USER = "miniprofd-tester"


def run(*command, **how):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **how)
    assert done.returncode == 0, (command, done.stdout[-3000:])
    return done.stdout


def as_user(command, **how):
    """In a login shell of a user whose only extra group is dialout."""
    return run("su", "-", USER, "-c", command, **how)


def has_user():
    try:
        return pwd.getpwnam(USER)
    except KeyError:
        return None


@case
def the_package_is_built_checked_and_installed():
    run(os.path.join(ROOT, "scripts/packaging/deb"), FOLDER.name)
    run("apt-get", "install", "-y", "--no-install-recommends", *glob.glob(FOLDER.name + "/miniprofd_*.deb"), *glob.glob(FOLDER.name + "/miniprofd-agent_*.deb"),
        *glob.glob(FOLDER.name + "/miniprofd-host-dev_*.deb"),
        "man-db", "bash-completion", "systemd", "udev", env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    if not has_user():
        run("useradd", "-m", "-s", "/bin/bash", "-G", "dialout", USER)
    os.chmod(FOLDER.name, 0o755)


@case
def a_user_in_group_dialout_can_open_a_port():
    firmware = subprocess.Popen([EXAMPLE_HOST], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        port = firmware.stdout.readline().strip()
        os.chown(port, 0, grp.getgrnam("dialout").gr_gid)
        os.chmod(port, 0o660)
        said = as_user(f"miniprofd check --port {port} --duration 2 --limit 'control_cycle:mean<1s' --format json; miniprofd --version; id -nG")
        assert "dialout" in said.splitlines()[-1] and "0.2" in said, said
        told = as_user(f"miniprofd --port {port} --duration 2 --no-http --export markdown=-")
        assert "# Profile of" in told and "Packets:" in told, told
    finally:
        firmware.kill()
        firmware.wait()


@case
def the_manual_and_the_completions_are_there():
    page = as_user("MANWIDTH=100 man miniprofd")
    assert "--elf" in page and "live profiler" in page.lower(), page[:500]
    words = as_user("bash -ic 'source /usr/share/bash-completion/bash_completion; _completion_loader miniprofd; COMP_WORDS=(miniprofd --expo); COMP_CWORD=1; "
                    "$(complete -p miniprofd | sed \"s/.*-F \\([^ ]*\\).*/\\1/\"); echo \"${COMPREPLY[@]}\"' 2>/dev/null")
    assert words.strip() == "--export", words
    assert os.path.exists("/usr/share/zsh/vendor-completions/_miniprofd")


@case
def the_agents_sources_are_found():
    run("apt-get", "install", "-y", "--no-install-recommends", "pkg-config", "gcc", "libc6-dev")
    flags = run("pkg-config", "--cflags", "miniprofd-agent").split()
    source = os.path.join(FOLDER.name, "a.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write('#include "mpt.h"\n')
    run("gcc", "-fsyntax-only", *flags, "-I/usr/share/miniprofd/firmware-ref/port/host", source)


@case
def the_library_for_programs_of_this_machine_and_the_lab_are_there():
    flags = run("pkg-config", "--cflags", "--libs", "mpt_host").split()
    words = "/usr/share/miniprofd/firmware-ref/port/host/example-library/words.c"
    run("gcc", "-g", "-finstrument-functions", words, *flags, "-lpthread", "-o", os.path.join(FOLDER.name, "words"))
    for name in "lab/rules.yml", "lab/dashboard.json", "page.md":
        assert os.path.exists("/usr/share/doc/miniprofd/docs/" + name), name
    assert os.path.exists("/etc/miniprofd/README")


@case
def the_unit_and_the_rule_are_sound():
    unit = os.path.join(FOLDER.name, "miniprofd@ttyACM0.service")
    with open("/lib/systemd/system/miniprofd@.service", encoding="utf-8") as file, open(unit, "w", encoding="utf-8") as copy:
        copy.write(file.read())
    said = run("systemd-analyze", "verify", unit)
    assert "miniprofd" not in said, said
    assert os.path.exists("/lib/udev/rules.d/95-miniprofd.rules")
    with open("/lib/udev/rules.d/70-miniprofd.rules", encoding="utf-8") as file:
        assert "uaccess" in file.read()


@case
def nothing_is_left_of_it():
    there = [path for package in ("miniprofd", "miniprofd-agent", "miniprofd-host-dev") for path in run("dpkg", "-L", package).splitlines() if "miniprofd" in path]
    assert len(there) > 50, there
    kept = "/var/lib/private/miniprofd"  # as the unit makes it
    os.makedirs(kept + "/recordings")
    os.symlink("private/miniprofd", "/var/lib/miniprofd")
    run("apt-get", "purge", "-y", "miniprofd", "miniprofd-agent", "miniprofd-host-dev")
    left = [path for path in [*there, kept, "/var/lib/miniprofd"] if os.path.lexists(path)]
    assert left == [], left
    run("userdel", "-r", "-f", USER)


if __name__ == "__main__":
    if os.environ.get("INSTALL_HERE") != "1" or os.geteuid() != 0:
        print("1..0 # SKIP it changes the machine: run it on one that is thrown away, as root, with INSTALL_HERE=1")
        sys.exit(0)
    sys.exit(run_cases())
