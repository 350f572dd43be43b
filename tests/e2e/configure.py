#!/usr/bin/env python3
"""configure.py - the build can be configured for the daemon alone.

usage: configure.py MESON SOURCE. Prints TAP."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402

MESON, SOURCE = sys.argv[1:3]

HIDES_CRITERION = """#!/bin/sh
case " $* " in *" criterion "*) exit 1 ;; esac
exec pkg-config "$@"
"""


@case
def an_install_build_has_no_tests():
    with tempfile.TemporaryDirectory() as folder:
        build = os.path.join(folder, "build")
        result = subprocess.run([MESON, "setup", build, SOURCE, "-Dtests=false"], stdin=subprocess.DEVNULL, capture_output=True,
                                text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr
        targets = json.loads(subprocess.check_output([MESON, "introspect", "--targets", build], text=True))
        assert any(target["name"] == "miniprofd" for target in targets)
        of_tests = [target["name"] for target in targets if os.path.relpath(target["defined_in"], SOURCE).startswith("tests" + os.sep)]
        assert of_tests == [], of_tests


@case
def test_dependencies_are_optional():
    with tempfile.TemporaryDirectory() as folder:
        hides = os.path.join(folder, "pkg-config")
        with open(hides, "w", encoding="utf-8") as script:
            script.write(HIDES_CRITERION)
        os.chmod(hides, 0o755)
        result = subprocess.run([MESON, "setup", os.path.join(folder, "build"), SOURCE], stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, env={**os.environ, "PKG_CONFIG": hides}, check=False)
        assert "criterion found: NO" in result.stdout, result.stdout
        assert result.returncode == 0, result.stdout + result.stderr


if __name__ == "__main__":
    sys.exit(run_cases())
