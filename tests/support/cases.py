"""cases.py - test cases in Python that tell their results as TAP."""

CASES = []


class Skip(Exception):
    """Raised by a case that cannot be tried here; the reason in a sentence."""


def case(function):
    """Marks a test case; its name is a sentence that is true."""
    CASES.append(function)
    return function


def run_cases():
    """Runs them in their order; the exit status: 0 when all held."""
    print(f"1..{len(CASES)}", flush=True)
    failed = 0
    for number, function in enumerate(CASES, 1):
        try:
            function()
            print(f"ok {number} - {function.__name__}", flush=True)
        except Skip as reason:
            print(f"ok {number} - {function.__name__} # SKIP {reason}", flush=True)
        except Exception as problem:  # one bad case does not hide the others
            failed += 1
            print(f"not ok {number} - {function.__name__}")
            print("# " + f"{type(problem).__name__}: {problem}".replace("\n", "\n# "), flush=True)
    return 1 if failed else 0
