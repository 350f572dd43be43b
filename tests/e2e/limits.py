#!/usr/bin/env python3
"""limits.py - limits in batch runs: messages and exit status.

usage: limits.py MINIPROFD. Prints TAP."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import syst_messages  # noqa: E402
from cases import Skip, case, run_cases  # noqa: E402

MINIPROFD = sys.argv[1]
CAPTURE = b"".join(syst_messages())  # outer() every 1 ms for 900 us, with inner() in it for 200 us, ten times
READ = ("--port", "-", "--dialect", "syst", "--dialect-opt", "framing=raw", "--dialect-opt", "clock_hz=1000000", "--no-http")


def run(*arguments):
    result = subprocess.run([MINIPROFD, *READ, *arguments], input=CAPTURE, capture_output=True, timeout=300, check=False)
    return result.returncode, result.stderr.decode()


@case
def kept_limits_change_nothing():
    status, said = run("--limit", "outer:max<=900us", "--limit", "outer:period=1ms+-1us", "--limit", "inner:p99<201us",
                       "--limit", "inner:calls<11", "--limit=inner:mean<250us")
    assert status == 0 and "limit" not in said, (status, said)


@case
def a_broken_limit_is_reported_and_exits_with_3():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.json")
        status, said = run("--limit", "outer:max<900us", "--limit", "inner:period>1ms", "--limit", "inner:mean<1ms",
                           "--export", "json=" + path)
        assert status == 3, said
        assert "The limit outer:max<900us was broken 10 times of 10; the worst was 900us, at tick 900." in said, said
        assert "The limit inner:period>1ms was broken 9 times of 9; the worst was 1ms" in said, said
        assert "inner:mean" not in said, said
        with open(path, encoding="utf-8") as text:
            limits = json.load(text)["limits"]
    assert [(row["state"], row["breaches"]) for row in limits] == [("broken", 10), ("broken", 9), ("kept", 0)], limits
    assert (limits[0]["first"]["ticks"], limits[0]["last"]["ticks"], limits[0]["worst"]["value"]) == (900, 9900, 900000), limits
    assert (limits[2]["now"], limits[2]["unit"]) == (200000, "ns"), limits


@case
def periods_of_functions_with_a_limit_on_theirs_are_metrics():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.prom")
        status, said = run("--limit", "outer:period=1ms+-1us", "--limit", "inner:max<1ms", "--export", "prometheus=" + path)
        assert status == 0, said
        with open(path, encoding="utf-8") as text:
            told = text.read()
    found = dict(line.split(" ") for line in told.split("\n") if line.startswith("miniprofd_function_period_"))
    assert found == {f'miniprofd_function_period_{name}_seconds{{function="outer"}}': value for name, value in
                     (("mean", "0.001"), ("jitter", "0"), ("min", "0.001000000"), ("max", "0.001000000"))}, found
    if not shutil.which("promtool"):
        raise Skip("promtool, which is to read them, is not installed; what they say was as it is to be")
    checked = subprocess.run(["promtool", "check", "metrics"], input=told, capture_output=True, text=True,
                             timeout=100, check=False)
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", ""), checked


@case
def a_limit_without_its_function_exits_with_1():
    status, said = run("--limit", "nobody:max<1us")
    assert status == 1 and "The limit nobody:max<1us was not judged: No call of it has been received yet." in said, (status, said)


@case
def a_run_with_a_page_and_an_export_ends_with_1_too():
    with tempfile.TemporaryDirectory() as folder:
        for limit, status in ("nobody:max<1us", 1), ("inner:mean<1ms", 0), ("outer:max<900us", 0):
            with_page = [argument for argument in READ if argument != "--no-http"] + ["--listen", "127.0.0.1:0", "--duration", "0.5"]
            result = subprocess.run([MINIPROFD, *with_page, "--limit", limit, "--export", f"json={folder}/out.json"], input=CAPTURE, capture_output=True,
                                    timeout=300, check=False)
            assert result.returncode == status, (limit, result)


@case
def limits_stand_in_a_file_one_a_line():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "limits.txt")
        with open(path, "w", encoding="utf-8") as text:
            text.write("# what is promised\n\n  outer:max < 900us \r\n inner:max<1ms\n#end")
        status, said = run("--limits", path)
        assert status == 3 and "outer:max<900us was broken" in said and "inner" not in said, (status, said)
        with open(path, "a", encoding="utf-8") as text:
            text.write("\nouter:maximum<1ms\n")
        status, said = run("--limits", path)
        assert status == 2, said
        assert f"{path}, line 6: The limit 'outer:maximum<1ms' cannot be read at 'maximum<1ms' (character 7)" in said, said
        with open(path, "wb") as text:
            text.write(b"a\0b:max<1us\n")
        assert run("--limits", path)[0] == 2
        assert run("--limits", folder)[0] == 2


@case
def a_bad_limit_exits_with_2_and_its_position():
    status, said = run("--limit", "outer:p98<5us")
    assert status == 2 and "at 'p98<5us' (character 7): a figure is wanted: max, period" in said, (status, said)
    status, said = run(*["--limit=outer:max<1us"] * 2)
    assert status == 1 and "The limit 'outer:max<1us' is set already." in said, (status, said)
    status, said = run(*[f"--limit=f{i}:max<1us" for i in range(65)])
    assert status == 2 and "more than 64 limits" in said, (status, said)


@case
def the_time_around_a_breach_is_recorded_and_replays():
    with tempfile.TemporaryDirectory() as folder:
        status, said = run("--limit", "outer:max<900us", "--keep-breaches", folder)
        assert status == 3 and "Keeping the time around a broken limit in " in said, said
        names = sorted(os.listdir(folder))
        assert len(names) == 2 and names[0].startswith("breach-") and names[0].endswith(".bin"), names
        kept = ("--port", "file:" + os.path.join(folder, names[0]), *READ[2:])
        again = subprocess.run([MINIPROFD, *kept, "--limit", "outer:max<900us"], capture_output=True, timeout=300, check=False)
        assert again.returncode == 3 and b"broken 10 times of 10" in again.stderr, again.stderr
        status, said = run("--limit", "outer:max<=900us", "--keep-breaches", folder)
        assert status == 0 and sorted(os.listdir(folder)) == names, said
        status, said = run("--limit", "outer:max<900us", "--keep-breaches", os.path.join(folder, "none"))
        assert status == 1 and "is no folder: make it first." in said, said
    for option, value in (("--breach-seconds", "0"), ("--breach-files", "1"), ("--breach-files", "x"), ("--breach-size", "1")):
        status, said = run(option, value)
        assert status == 2 and option in said, (option, status, said)


run_cases()
