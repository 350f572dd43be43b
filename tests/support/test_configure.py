#!/usr/bin/env python3
"""test_configure.py - tests when scripts/common.sh runs meson for a build folder, with a stand-in for meson."""
import os
import subprocess
import sys
import tempfile

from cases import case, run_cases

COMMON = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts/common.sh")
# As meson does, it writes the options to a file of the build folder.
MESON = r"""#!/bin/sh
echo "$@" >>"$PWD/started"
mkdir -p "$2/meson-private"
touch "$2/build.ninja"
shift 2
for option; do echo "$option" | sed 's/^-*D*//; s/=/ = /'; done >build/meson-private/cmd_line.txt
"""


def started(*calls):
    """Returns meson's arguments, one line for each start, after configure() with the options of each call."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "meson"), "w", encoding="utf-8") as script:
            script.write(MESON)
        os.chmod(script.name, 0o755)
        for options in calls:
            subprocess.run(["bash", "-euc", '. "$0"; configure build "$@"', COMMON, *options], cwd=folder, check=True,
                           env={**os.environ, "PATH": folder + ":" + os.environ["PATH"]})
        with open(os.path.join(folder, "started"), encoding="utf-8") as lines:
            return lines.read().splitlines()


@case
def a_folder_with_the_same_options_is_left_as_it_is():
    options = ["--buildtype=release", "-Dc_args=-g1 -O1"]
    assert started(options, options) == ["setup build " + " ".join(options)]


@case
def a_folder_with_other_options_gets_the_new_ones():
    assert started(["-Db_sanitize=address"], ["-Db_sanitize=address,undefined"]) == \
        ["setup build -Db_sanitize=address", "configure build -Db_sanitize=address,undefined"]
    assert len(started(["-Da=1"], ["-Da=1", "-Db=2"])) == 2


sys.exit(run_cases())
