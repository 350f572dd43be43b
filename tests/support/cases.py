"""cases.py - test cases in Python that print their results as TAP."""
import fnmatch
import os
import traceback

CASES = []
# What the user of this machine has set for miniprofd is not what is tested.
os.environ["XDG_CONFIG_HOME"] = "/nonexistent"
for name in [name for name in os.environ if name.startswith("MINIPROFD_")]:
    del os.environ[name]
# The address sanitizer's search for leaks takes half of the time of a short process. In a usual run the programs of the suite "smoke" have
# it, and each test in C; in one of all, every process.
if not os.environ.get("TEST_ALL") and not os.environ.get("TEST_LEAKS"):
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", "")
LOGS = []  # functions that return lines worth reading when a case has failed; each drops what it has returned


class Skip(Exception):
    """Raised by a case that cannot run here; the reason in a sentence."""


def case(function):
    """Marks a test case. Its name is a sentence that is true."""
    CASES.append(function)
    return function


def case_of_all(function):
    """As case(), of one that only a run of all has, since it takes long."""
    return case(function) if os.environ.get("TEST_ALL") else function


def run_cases():
    """Runs them in order, or those that TEST_FILTER in the environment matches. Returns the exit status: 0 when all passed."""
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
