#!/usr/bin/env python3
"""names.py - finds the test programs and cases that a person names.

usage: names.py BUILD NAME...

A NAME is the name of a room (`session`, `e2e`), a program (`e2e/check`), a view of the page (`timeline`), a group of cases (`keeper`) or a case
(`keeper::a_limit_is_kept`, `a_run_against_itself_has_no_findings`, or the sentence of a browser test); `*` stands for anything.
Prints one line for each run: a pattern of cases for TEST_FILTER, then the programs, separated by tabs. Exit status 2, with an error, if a name
matches nothing."""
import difflib
import fnmatch
import json
import os
import re
import sys

C_CASE = re.compile(r"^Test\((\w+),\s*(\w+)", re.M)
PYTHON_CASE = re.compile(r"^@case(?:_of_all)?\ndef (\w+)", re.M)
PAGE_CASE = re.compile(r"^test(?:OfAll)?\(\s*(['\"])(.+?)\1,", re.M)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def intro(build, what):
    return json.loads(read(os.path.join(build, "meson-info", f"intro-{what}.json")))


def views_of(command):
    """The views that a command of browser.test.mjs runs, with their files."""
    at = next(i for i, word in enumerate(command) if word.endswith("browser.test.mjs"))
    folder = os.path.join(os.path.dirname(command[at]), "browser")
    every = sorted(file[:-len(".test.mjs")] for file in os.listdir(folder) if file.endswith(".test.mjs"))
    words = [word for word in command[at + 1:] if "/" not in word]  # real.py takes programs, too
    chosen = [view for view in every if (view in words[1:]) != (words[0] == "but")] if words and words[0] == "but" else words or every
    return [(view, os.path.join(folder, view + ".test.mjs")) for view in chosen if view in every]


def cases_of(test, sources):
    """Returns (names that a user may give, the pattern for TEST_FILTER) of each case of a program."""
    command = test["cmd"]
    for path in sources.get(command[0], ()):
        for suite, name in C_CASE.findall(read(path)):
            yield (suite, name, f"{suite}::{name}", f"{suite}/{name}"), f"{suite}/{name}"
    for path in command[1:]:
        if path.endswith(".py") and os.path.exists(path):
            for name in PYTHON_CASE.findall(read(path)):
                yield (name,), name
    if any(word.endswith("browser.test.mjs") for word in command):
        for view, path in views_of(command):
            yield (view,), view
            for _, title in PAGE_CASE.findall(read(path)):
                yield (title,), title


def c_sources(build):
    """The C files of each executable."""
    found = {}
    for target in intro(build, "targets"):
        if target["type"] == "executable":
            files = [path for part in target["target_sources"] for path in part.get("sources", ()) if path.endswith(".c") and os.path.exists(path)]
            found.update({name: files for name in target["filename"]})
    return found


def runs(build, names):
    """Returns {pattern: programs} for the names; an unknown NAME raises a KeyError with similar names."""
    tests, sources, found, known = intro(build, "tests"), None, {}, set()
    for name in names:
        whole = [test["name"] for test in tests
                 if name in (test["name"], test["name"].split("/")[0], *(suite.split(":")[-1] for suite in test["suite"])) or fnmatch.fnmatch(test["name"], name)]
        if whole:
            found.setdefault("*", []).extend(whole)
            continue
        sources = sources or c_sources(build)
        fits = set()
        for test in tests:
            for aliases, pattern in cases_of(test, sources):
                known.update(aliases)
                if any(alias == name or fnmatch.fnmatch(alias, name) for alias in aliases):
                    fits.add((pattern, test["name"]))
        if not fits:
            known.update(test["name"] for test in tests)
            raise KeyError(name, difflib.get_close_matches(name, known, 3, 0.5))
        for pattern, program in sorted(fits):
            found.setdefault(pattern, []).append(program)
    return found


def merged(found):
    """Merges runs of the same programs whose patterns are all cases of one C suite."""
    by_programs = {}
    for pattern, programs in found.items():
        by_programs.setdefault((tuple(programs), pattern.split("/")[0] if "/" in pattern else pattern), []).append(pattern)
    for (programs, suite), patterns in by_programs.items():
        yield patterns[0] if len(patterns) == 1 else suite + "/*", programs


def main(build, *names):
    try:
        found = runs(build, names)
    except KeyError as unknown:
        name, near = unknown.args
        print(f"No test has the name '{name}'." + (f" Did you mean {' or '.join(near)}?" if near else ""), file=sys.stderr)
        return 2
    for pattern, programs in merged(found):
        print("\t".join([pattern, *dict.fromkeys(programs)]))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
