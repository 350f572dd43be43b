"""new_limit.py - adds a figure that can have a limit, the shortest call of a function: one row, and one in the document.

Run by additions.py."""
import copy
import json
import os
import subprocess

from captures_made import syst_messages
from cases import case


class NewLimit:
    """The program with the figure, and a profile."""
    WHAT = "a figure for limits"

    def add(self, tree):
        tree.insert_before("daemon/base/bound_figures.h", '    ROW(CALLS, "calls"',
                           '    ROW(MIN, "min", NS, .least = "min_ticks", .most = "min_ticks",                                           \\\n'
                           '        .help = "duration of the shortest call", .may_fall_short = true)                                     \\\n')
        tree.insert_before("docs/limits.md", "| `calls` |", "| `min` | duration of the shortest call | at each snapshot | a time | yes | yes |\n")

    def look(self, miniprofd, tree):
        self.program, self.folder = miniprofd, tree.folder
        with open(os.path.join(tree.folder, "limits.bin"), "wb") as file:
            file.write(b"".join(syst_messages()))
        self.profile = json.loads(self.measure().stdout)
        self.profile["target"]["ticks_per_second"] = 1000000  # unknown in such a capture
        for row in self.profile["functions"]:
            if row["min_ticks"] is not None:  # far from its other figures
                row.update(calls=10, min_ticks=1, max_ticks=10**6, total_ticks=10**7, p50_ticks=10**6, p90_ticks=10**6, p99_ticks=10**6)

    def measure(self, *more):
        return subprocess.run([self.program, "--dialect", "syst", "--port", "file:" + os.path.join(self.folder, "limits.bin"), "--no-http",
                               "--export", "json=-", *more], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


NEW_LIMIT = NewLimit()


def checked(limit, profile):
    path = os.path.join(NEW_LIMIT.folder, "limits.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(profile, file)
    return subprocess.run([NEW_LIMIT.program, "check", "--against", path, "--limit", limit], capture_output=True, text=True, check=False)


def measured():
    return next(row["name"] for row in NEW_LIMIT.profile["functions"] if row["min_ticks"] is not None)


@case
def check_judges_only_the_new_figure():
    for limit, status in ("min<2us", 0), ("min<1us", 3), ("min>=1us", 0), ("min>5us", 3):
        done = checked(f"{measured()}:{limit}", NEW_LIMIT.profile)
        assert done.returncode == status, (limit, done)


@case
def a_profile_without_it_is_not_judged():
    without = copy.deepcopy(NEW_LIMIT.profile)
    for row in without["functions"]:
        row["min_ticks"] = None
    assert checked(f"{measured()}:min<2us", without).returncode == 4


@case
def the_daemon_judges_it():
    done = NEW_LIMIT.measure("--limit", f"{measured()}:min<1h")
    assert "cannot be read" in done.stderr and done.returncode == 2, done
    told = json.loads(NEW_LIMIT.measure("--limit", f"{measured()}:min<1s").stdout)["limits"]
    assert [(row["figure"], row["unit"]) for row in told] == [("min", "ns")], told
