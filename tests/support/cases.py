"""cases.py - test cases in Python that print their results as TAP."""
import fnmatch
import os
import traceback

CASES = []
# Settings of this machine's user must not influence the tests.
os.environ["XDG_CONFIG_HOME"] = "/nonexistent"
for name in [name for name in os.environ if name.startswith("MINIPROFD_")]:
    del os.environ[name]
# The address sanitizer's search for leaks takes half of the time of a short process. In a usual run it is on in the suite "smoke" and in C
# tests; in a full run, in every process.
if not os.environ.get("TEST_ALL") and not os.environ.get("TEST_LEAKS"):
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", "")
LOGS = []  # functions that return log lines to print when a case has failed; each returns a line only once


class Skip(Exception):
    """Raised by a case that cannot run here, with the reason as a sentence."""


def case(function):
    """Marks a test case. Its name states the expected behaviour."""
    CASES.append(function)
    return function


def case_of_all(function):
    """Marks a long test case, which runs only in a full run, or where TEST_FILTER is its name."""
    return case(function) if os.environ.get("TEST_ALL") or os.environ.get("TEST_FILTER") == function.__name__ else function


def run_cases():
    """Runs the cases in order, only those that TEST_FILTER matches if it is set. Returns exit status 0 when all passed."""
    chosen = [function for function in CASES if fnmatch.fnmatch(function.__name__, os.environ.get("TEST_FILTER", "*"))]
    print(f"1..{len(chosen)}", flush=True)
    failed = 0
    for number, function in enumerate(chosen, 1):
        try:
            function()
            print(f"ok {number} - {function.__name__}", flush=True)
        except Skip as reason:
            print(f"ok {number} - {function.__name__} # SKIP {reason}", flush=True)
        except Exception as problem:  # one bad case does not hide the others
            failed += 1
            print(f"not ok {number} - {function.__name__}")
            where = [f"{frame.filename}:{frame.lineno}: {frame.line}" for frame in traceback.extract_tb(problem.__traceback__)[1:]]
            for line in [f"{type(problem).__name__}: {problem}", *where, *(line for log in LOGS for line in log())]:
                print("# " + line.replace("\n", "\n# "), flush=True)
        for log in LOGS:
            log()
    return 1 if failed else 0
