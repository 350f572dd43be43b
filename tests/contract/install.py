#!/usr/bin/env python3
"""install.py - checks the files that `meson install` installs, that a firmware can be built from them, and that the daemon builds without a cross compiler.

usage: install.py MESON SOURCE_ROOT BUILD_ROOT. Prints TAP."""
import glob
import json
import os
import subprocess
import sys
import tempfile

MESON, SOURCE, BUILD = sys.argv[1:4]


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100, check=False, **more)
    assert done.returncode == 0, (command, done.stdout[-2000:])
    return done.stdout


def pkg_config(top, *words):
    folders = [os.path.dirname(path) for path in glob.glob(top + "/**/*.pc", recursive=True)]
    return run("pkg-config", *words, env={**os.environ, "PKG_CONFIG_LIBDIR": ":".join(folders), "PKG_CONFIG_SYSROOT_DIR": top}).split()


def what_is_installed_builds_a_firmware(top):
    run(MESON, "install", "-C", BUILD, "--no-rebuild", "--destdir", top)
    (program,) = glob.glob(top + "/**/bin/miniprofd", recursive=True)
    assert "miniprofd" in run(program, "--version")
    for beside in "man1/miniprofd.1", "man1/miniprofd-check.1", "man1/miniprofd-top.1", "completions/miniprofd", "site-functions/_miniprofd", "system/miniprofd@.service", "rules.d/70-miniprofd.rules", "rules.d/95-miniprofd.rules":
        assert glob.glob(top + "/**/" + beside, recursive=True), beside
    (place,) = pkg_config(top, "--variable=sourcedir", "miniprofd-agent")
    place = place if place.startswith(top) else top + place
    flags = pkg_config(top, "--cflags", "miniprofd-agent")
    assert flags and all("/share/miniprofd" in flag for flag in flags), ("a firmware looks into nothing else of this machine", flags)
    assert not glob.glob(place + "/**/meson.build", recursive=True), "they are of no use there"
    names = ["call_stack", "command_reader", "compact", "compact_writer", "crc16", "description", "frame", "packet", "tree_writer"]
    sources = glob.glob(place + "/mpt*.c") + [f"{place}/../protocol/{name}.c" for name in names] + [place + "/port/nop/board.c"]
    run("gcc", "-std=gnu11", "-Werror", "-I", place + "/port/nop", *flags, *sources,
        "-Wl,--defsym=nop_counter=mpt_ring", "-o", top + "/firmware")
    words = place + "/port/host/example-library/words.c"
    flags = pkg_config(top, "--cflags", "--libs", "mpt_host")
    run("gcc", "-g", "-finstrument-functions", words, *flags, "-o", top + "/words")


def the_daemon_alone_takes_no_compiler_of_a_firmware(top):
    empty = os.path.join(top, "no-compilers")
    os.mkdir(empty)
    for name in "arm-none-eabi-gcc", "c++", "g++", "clang++":
        with open(os.path.join(empty, name), "w", encoding="ascii") as script:
            script.write("#!/bin/sh\nexit 1\n")
        os.chmod(script.name, 0o755)
    env = {key: value for key, value in os.environ.items() if key not in ("CFLAGS", "LDFLAGS", "DESTDIR")}
    env.update(PATH=empty + ":" + os.environ["PATH"], CXX="/bin/false", CC="gcc")
    run(MESON, "setup", top + "/alone", SOURCE, "-Dfirmware=false", "-Dtests=false", env=env)
    targets = json.loads(run(MESON, "introspect", "--targets", top + "/alone", env=env))
    names = {target["name"] for target in targets}
    assert "miniprofd" in names and not {name for name in names if "example" in name or "mpt" in name}, names
    languages = {source["language"] for target in targets for source in target["target_sources"] if "language" in source}
    assert "c" in languages and "cpp" not in languages, languages
    refused = subprocess.run([MESON, "setup", top + "/both", SOURCE, "-Dfirmware=false"], env=env, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=100, check=False)
    assert refused.returncode != 0 and "-Dtests=false" in refused.stdout, refused.stdout[-500:]


CASES = [what_is_installed_builds_a_firmware, the_daemon_alone_takes_no_compiler_of_a_firmware]
print(f"1..{len(CASES)}")
FAILED = 0
for number, case in enumerate(CASES, 1):
    try:
        with tempfile.TemporaryDirectory() as folder:
            case(folder)
        print("ok", number, "-", case.__name__)
    except (AssertionError, ValueError, OSError, subprocess.SubprocessError) as problem:
        FAILED += 1
        print("not ok", number, "-", case.__name__)
        print("#", str(problem).replace("\\n", "\n# "))
sys.exit(FAILED > 0)
