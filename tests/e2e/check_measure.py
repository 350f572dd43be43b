#!/usr/bin/env python3
"""check_measure.py - `miniprofd check --port`: it measures until its work is done, and leaves nothing behind; its command line.

usage: check_measure.py MINIPROFD SPECIMENS. Prints TAP."""
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import syst_message  # noqa: E402
from cases import case, run_cases  # noqa: E402

from check_profiles import BASE, FOLDER, MINIPROFD, check, findings, verdicts  # noqa: E402

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "ci.md")


def capture(name, ticks):
    """Returns ten calls of outer and inner; outer takes `ticks` ticks."""
    with open(os.path.join(FOLDER.name, name), "wb") as f:
        for at in range(0, 100000, 10000):
            f.write(syst_message(2, 2, at, b"outer\0") + syst_message(2, 2, at + 100, b"inner\0") + syst_message(2, 3, at + 300, b"inner\0") +
                    syst_message(2, 3, at + ticks, b"outer\0"))


def measured(name, *options, before="first.json"):
    live = ["--port", f"file:{name}", "--dialect", "syst", "--dialect-opt=clock_hz=1000000"]
    return subprocess.run([MINIPROFD, "check", *(["--baseline", before] if before else []), "--format", "json", *live, *options], capture_output=True, timeout=60,
                          cwd=FOLDER.name, env={**os.environ, "TMPDIR": FOLDER.name})


@case
def a_new_measurement_is_compared_with_the_baseline():
    capture("first.bin", 900)
    capture("second.bin", 1300)
    assert measured("first.bin", "--keep", "first.json", "--limit", "inner:max<1ms", before=None).returncode == 0
    same, other = measured("first.bin"), measured("second.bin", "--keep", "second.json", "--limit", "outer:max<1.2ms")
    assert (same.returncode, findings(same)) == (0, []), same
    assert (other.returncode, findings(other), verdicts(other)) == (3, ["outer"], ["broken"]), other
    with open(os.path.join(FOLDER.name, "second.json"), encoding="utf-8") as f:
        assert json.load(f)["limits"][0]["state"] == "broken", "the daemon saw each call"
    gone = measured("none.bin")
    assert gone.returncode == 1 and b"none.bin" in gone.stderr and "Measuring failed" in json.loads(gone.stdout)["inconclusive"], gone
    for options, word in (["--against", "none.json"], b"none.json"), (["--port", "file:none.bin"], b"Measuring failed"):
        with open(os.path.join(FOLDER.name, "stale.xml"), "w", encoding="utf-8") as f:
            f.write("of another day")
        failed = subprocess.run([MINIPROFD, "check", "--baseline", "first.json", *options, "--format", "junit=stale.xml"], capture_output=True, cwd=FOLDER.name)
        with open(os.path.join(FOLDER.name, "stale.xml"), "rb") as f:
            report = f.read()
        assert failed.returncode == 1 and failed.stdout == b"" and b'errors="1"' in report and word in report, (failed, report)
    wrong = measured("first.bin", "--nonsense")
    assert wrong.returncode == 2 and b"'--nonsense'" in wrong.stderr, wrong
    assert not [name for name in os.listdir(FOLDER.name) if name.startswith("miniprofd-check-")], "what is not kept is deleted"


def program_that_ends(bytes_, *options):
    """Measures a program on a socket, which ends after it has sent its data, in the background."""
    server, path = socket.socket(socket.AF_UNIX), os.path.join(FOLDER.name, f"line{len(os.listdir(FOLDER.name))}")
    server.bind(path)
    server.listen()

    def serve():
        line = server.accept()[0]
        server.close()
        line.sendall(bytes_)
        line.close()
    threading.Thread(target=serve, daemon=True).start()
    return subprocess.Popen([MINIPROFD, "check", "--port", f"unix:{path}", "--dialect", "syst", "--dialect-opt=clock_hz=1000000", "--format", "json",
                             "--limit", "inner:max<1ms", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=FOLDER.name)


@case
def a_measurement_ends_after_its_work_or_with_the_program():
    capture("first.bin", 900)
    with open(os.path.join(FOLDER.name, "first.bin"), "rb") as f:
        sent = f.read()
    ended, lacking = program_that_ends(sent), program_that_ends(sent, "--work", "outer=11")
    worked = program_that_ends(sent, "--work", "outer=10", "--duration=300")
    alone = subprocess.run([MINIPROFD, "--port", "file:first.bin", "--dialect", "syst", "--dialect-opt=clock_hz=1000000", "--no-http", "--work", "outer=4", "--export", "json=-"],
                           capture_output=True, cwd=FOLDER.name, timeout=60)
    made = json.loads(alone.stdout)
    counted = next(f["calls"] for f in made["functions"] if f["name"] == "outer")
    assert alone.returncode == 0 and counted in range(4, 11), alone
    assert made["measurement"] == {"work": {"function": "outer", "calls": 4, "counted": counted}, "ended_by": "work"}, made["measurement"]
    for wrong in "outer", "outer=", "=3", "outer=0", "outer=-1", "outer=3x":
        assert measured("first.bin", "--work", wrong, before=None).returncode == 2, wrong
    for run, status in (worked, 0), (ended, 0), (lacking, 1):
        out, err = run.communicate(timeout=60)
        assert run.returncode == status, (run.args, out, err)
    assert "outer was called 10 of 11 times (--work), then the program ended; let it run longer" in err, err


@case
def a_profile_has_the_reason_its_measurement_ended():
    capture("first.bin", 900)
    replay = [MINIPROFD, "--port", "file:first.bin", "--dialect", "syst", "--dialect-opt=clock_hz=1000000", "--no-http", "--export", "json=ended.json"]
    for options, status, work in ([], 0, None), (["--work", "outer=11"], 1, {"function": "outer", "calls": 11, "counted": 10}):
        run = subprocess.run(replay + options, cwd=FOLDER.name, capture_output=True, timeout=60)
        with open(os.path.join(FOLDER.name, "ended.json"), encoding="utf-8") as f:
            made = json.load(f)
        assert run.returncode == status and made["measurement"] == {"work": work, "ended_by": "source"}, (run, made["measurement"])
    assert check(made, before=BASE).returncode == 4 and b"The new profile ended when outer had been called 10 of 11 times" in check(made, before=BASE).stderr
    assert b"The baseline ended when" in check(BASE, before=made).stderr
    assert check(made, "--allow", "work", before=made).returncode == 0


@case
def a_port_that_is_not_there_ends_a_measurement_by_work():
    missing = os.path.join(FOLDER.name, "ttyNONE")
    run = subprocess.run([MINIPROFD, "check", "--port", missing, "--work", "outer=10", "--limit", "outer:max<1s"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1 and "was never there to be read" in run.stderr and "--list-ports" in run.stderr, run


@case
def an_old_profile_is_not_taken_for_the_measurement():
    capture("first.bin", 900)
    assert measured("first.bin", "--keep", "first.json", "--limit", "inner:max<1ms", before=None).returncode == 0
    for options in ["--version"], ["--version", "--keep", "first.json"]:
        result = measured("first.bin", *options)
        assert result.returncode == 1 and b"Nothing was measured" in result.stderr and b'"compared":0,' in result.stdout, (options, result)


@case
def the_baseline_is_read_before_measuring():
    capture("first.bin", 900)
    capture("second.bin", 1300)
    for option in ["--keep", "first.json"], ["--export", "json=first.json"]:
        assert measured("first.bin", "--keep", "first.json", "--limit", "inner:max<1ms", before=None).returncode == 0
        slow, next_one = measured("second.bin", *option), measured("second.bin", *option)
        assert (slow.returncode, findings(slow), next_one.returncode) == (3, ["outer"], 0), (option, slow, next_one)
    with open(os.path.join(FOLDER.name, "first.json"), "w", encoding="utf-8") as f:
        f.write("{")
    damaged = measured("second.bin", "--keep", "unmeasured.json")
    assert damaged.returncode == 4 and not os.path.exists(os.path.join(FOLDER.name, "unmeasured.json")), "nobody waits for what cannot be compared"


@case
def measuring_ends_even_if_the_parent_ignores_signals():
    capture("first.bin", 900)
    ignored = subprocess.run([MINIPROFD, "check", "--port", "file:first.bin", "--dialect", "syst", "--dialect-opt=clock_hz=1000000", "--limit", "inner:max<1ms"],
                             preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN), cwd=FOLDER.name, capture_output=True, timeout=20)
    assert ignored.returncode == 0, ignored


@case
def measuring_can_be_interrupted():
    capture("first.bin", 900)
    assert measured("first.bin", "--keep", "first.json", "--limit", "inner:max<1ms", before=None).returncode == 0
    ours, theirs = pty.openpty()
    with open(os.path.join(FOLDER.name, "first.json"), "rb") as f:
        before = f.read()
    for number in signal.SIGINT, signal.SIGTERM:
        run = subprocess.Popen([MINIPROFD, "check", "--baseline", "first.json", "--port", os.ttyname(theirs), "--no-control", "--keep", "first.json"], stderr=subprocess.PIPE,
                               stdout=subprocess.PIPE, cwd=FOLDER.name, env={**os.environ, "TMPDIR": FOLDER.name}, text=True)
        said = run.stderr.readline()
        assert "is open" in said, said
        run.send_signal(number)
        out, err = run.communicate(timeout=60)
        assert (run.returncode, out) == (1, "") and "interrupted" in err, (run.returncode, out, err)
        with open(os.path.join(FOLDER.name, "first.json"), "rb") as f:
            assert f.read() == before, "the baseline stays"
        assert not [name for name in os.listdir(FOLDER.name) if name.startswith("first.json.")]
        assert not [name for name in os.listdir(FOLDER.name) if name.startswith("miniprofd-check-")]
    os.close(ours)
    os.close(theirs)


@case
def a_killed_check_releases_the_port():
    capture("first.bin", 900)
    assert measured("first.bin", "--keep", "first.json", "--limit", "inner:max<1ms", before=None).returncode == 0
    ours, theirs = pty.openpty()
    run = subprocess.Popen([MINIPROFD, "check", "--baseline", "first.json", "--port", os.ttyname(theirs), "--no-control", "--keep", "killed.json"], stderr=subprocess.PIPE,
                           stdout=subprocess.PIPE, cwd=FOLDER.name, text=True)
    assert "is open" in run.stderr.readline()
    with open(f"/proc/{run.pid}/task/{run.pid}/children", encoding="ascii") as f:
        measures = int(f.read())
    run.kill()
    try:
        run.communicate(timeout=20)  # until the measuring process has closed its end, too
    except subprocess.TimeoutExpired:
        os.kill(measures, signal.SIGKILL)
        raise
    os.close(ours)
    os.close(theirs)


@case
def a_wrong_command_line_gives_an_error():
    for options in (["--max-regress", "5"], ["--max-regress", "nan%"], ["--min-delta", "1"], ["--min-delta", "-1us"], ["--metric", "mean"],
                    ["--min-calls", "0"], ["--only", "("], ["--ignore", "[a"], ["--only", "a", "--only", "b"], ["--format", "xml"], ["--gone", "no"], ["--faster", "fail"], ["--allow", "mode,settings"], ["--allow", ""], ["--source-path", "x"], ["--format", "text="], ["--format", "text", "--format", "json"], ["--limit", "f"],
                    ["--limit"], ["--port", "file:x"], ["--keep", "x"], ["--what"], ["--root", "no/such"], ["more"], ["--max-loss"]):
        result = check(BASE, *options)
        assert result.returncode == 2 and b"miniprofd check --help" in result.stderr, (options, result)
    assert subprocess.run([MINIPROFD, "check"], capture_output=True).returncode == 2
    for limits, sentence in (64, b"64 limits"), (65, b"There are more than 64 limits."):
        result = check(BASE, *[f"--limit=f{n}:max<1s" for n in range(limits)])
        assert result.returncode == (4 if limits == 64 else 2) and sentence in result.stdout + result.stderr, result
    for path in "base.json", "./new.json":
        result = check(BASE, "--format", f"text={path}")
        assert result.returncode == 2 and b"would be written over a profile" in result.stderr, result
        with open(os.path.join(FOLDER.name, path), encoding="utf-8") as f:
            assert json.load(f) == BASE
    kept = measured("first.bin", "--keep", "unmeasured.json", "--format", "text=unmeasured.json")
    assert kept.returncode == 2 and b"over a profile" in kept.stderr, kept
    assert b"No such file or directory.\n" in check(BASE, "--limits", "none.txt").stderr
    for last in "--port", "--duration":
        lacks = subprocess.run([MINIPROFD, "check", "--baseline", "base.json", "--port", "file:first.bin", last], capture_output=True, cwd=FOLDER.name)
        assert lacks.returncode == 2 and f"{last} needs a value".encode() in lacks.stderr, lacks
    assert b"--baseline" in subprocess.run([MINIPROFD, "check", "--help"], capture_output=True, check=True).stdout


@case
def commands_of_the_documentation_work():
    with open(DOCS, encoding="utf-8") as f:
        page = re.sub(r"^```sh emulated\n.*?^```", "", f.read(), flags=re.S | re.M)  # which check_board.py runs
    commands = re.findall(r"^(?: *- (?:run: )?)?(miniprofd check .*)$", page, re.M)
    assert len(commands) >= 9
    capture("first.bin", 900)
    assert measured("first.bin", "--keep", "first.json", "--limit", "inner:max<1ms", before=None).returncode == 0
    with open(os.path.join(FOLDER.name, "first.json"), encoding="utf-8") as f:
        of_the_board = json.load(f)
    folder = {**os.environ, "PATH": f"{os.path.dirname(MINIPROFD)}:{os.environ['PATH']}", "FUNCTION": "inner"}
    board = "--port file:first.bin --dialect syst --dialect-opt clock_hz=1000000"
    for command in commands:
        check(of_the_board, before=of_the_board)
        with open(os.path.join(FOLDER.name, "again.json"), "w", encoding="utf-8") as f:
            json.dump(of_the_board, f)
        here = command.replace("--port /dev/ttyACM0 --elf build/firmware.elf", board).replace("control_cycle=1000", "outer=10").replace("--min-calls 100", "--min-calls 10")
        done = subprocess.run(["bash", "-c", here], cwd=FOLDER.name, env=folder, capture_output=True)
        assert done.returncode == 0, (command, done.stderr)


if __name__ == "__main__":
    sys.exit(run_cases())
