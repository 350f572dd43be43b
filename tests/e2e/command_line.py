#!/usr/bin/env python3
"""command_line.py - options, exit statuses and messages, as a user sees them.

usage: command_line.py MINIPROFD EXAMPLE_HOST. Prints TAP."""
import contextlib
import csv
import ctypes
import gzip
import io
import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import syst_messages  # noqa: E402
from cases import Skip, case, run_cases  # noqa: E402
from daemon import PATIENCE, Daemon  # noqa: E402

MINIPROFD, EXAMPLE_HOST = sys.argv[1:3]


def run(*arguments, stdin=b"", seconds=300):
    return subprocess.run([MINIPROFD, *arguments], input=stdin, capture_output=True, timeout=seconds)


def sentence(result):
    """Returns the standard error of a run, which must be text."""
    return result.stderr.decode()


def check_usage(*arguments, names):
    result = run(*arguments)
    assert result.returncode == 2, (arguments, result.returncode)
    assert "usage: miniprofd" in sentence(result), sentence(result)
    assert names in sentence(result), sentence(result)
    assert result.stdout == b"", result.stdout


@case
def wrong_usage_exits_with_2_and_names_the_error():
    check_usage(names="--port")
    check_usage("--nonsense", names="--nonsense")
    check_usage("capture.bin", names="capture.bin")
    check_usage("--port", names="--port")
    check_usage("--port", "file:x", "--baud", "fast", names="fast")
    check_usage("--port", "file:x", "--baud", "-9600", names="-9600")
    check_usage("--port", "ttyACM0", "--dtr", "maybe", names="--dtr takes keep, on, off or pulse, not 'maybe'")
    check_usage("--port", "ttyACM0", "--rts", "", names="--rts takes keep")
    check_usage("--port", "file:x", "--dialect", "klingon", names="klingon")
    check_usage("--port", "file:x", "--dialect-opt", "colour=red", names="colour")
    check_usage("--port", "file:x", "--dialect-opt", "klingon.colour=red", names="klingon")
    check_usage("--port", "file:x", "--dialect-opt", "syst.colour=red", names="syst dialect has no option 'colour'")
    check_usage("--port", "file:x", "--dialect-opt", "miniprof.time_unit=us", names="'miniprof'")
    check_usage("--port", "file:x", "--dialect", "auto", "--dialect-opt", "syst.collateral=x", names="--dialect miniprof")
    check_usage("--port", "file:x", "--dialect", "syst", "--dialect-opt", "syst.collateral=x", names="syst dialect carries no other")
    check_usage("--port", "file:x", "--mode", "fast", names="stream")
    check_usage("--port", "file:x", "--export", "docx=out", names="docx")
    check_usage("--port", "file:x", *["--allow-frame", "https://a"] * 9, names="--allow-frame can be given 8 times")
    check_usage("--port", "file:x", "--metrics-functions", "0", names="--metrics-functions takes a number from 1")
    check_usage("--port", "file:x", "--source-path", "/build", names="--source-path")
    check_usage("--port", "file:x", "--source-path", "/build=", names="--source-path")
    check_usage("--port", "file:x", "--speed", "0", names="--speed")
    check_usage("--port", "file:x", "--no-http=yes", names="--no-http")
    check_usage("--port", "file:x", "--config", "/no/such/file", names="/no/such/file")


@case
def special_files_as_option_values_are_refused():
    with tempfile.TemporaryDirectory() as folder:
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe)
        for path in pipe, "/dev/zero", folder:
            check_usage("--port", "file:/dev/null", "--config", path, names=path)
            for dialect, option in ("tfm", "names"), ("syst", "collateral"), ("miniprof", "tfm.names"), ("miniprof", "syst.collateral"):
                result = run("--port", "file:/dev/null", "--no-http", "--dialect", dialect, "--dialect-opt", f"{option}={path}")
                assert result.returncode == 1 and path in sentence(result), (result.returncode, sentence(result))
            result = run("--port", "file:/dev/null", "--no-http", "--elf", path)
            assert result.returncode == 1 and path in sentence(result), (result.returncode, sentence(result))


@case
def help_lists_every_dialect_and_format_and_exits_with_0():
    result = run("--help")
    assert result.returncode == 0
    text = result.stdout.decode()
    for word in ("--port", "--elf", "--baud", "--record", "--mode", "--export", "miniprof", "json", "collapsed", "csv", "time_unit"):
        assert word in text, word
    assert all(len(line) <= 120 for line in text.splitlines())
    assert run("--version").stdout.startswith(b"miniprofd ")
    for short, long in ("-h", "--help"), ("-V", "--version"):
        assert run(short).stdout == run(long).stdout and run(short).returncode == 0, short


@case
def every_command_has_help_in_groups_with_examples():
    commands = ("check", "device", "doctor", "mcp", "top")
    for words in [], *([command] for command in commands):
        told = run(*words, "--help")
        text = told.stdout.decode()
        assert told.returncode == 0 and told.stdout == run("help", *words).stdout and text.startswith("usage: miniprofd"), told
        assert all(len(line) <= 120 for line in text.splitlines())
        examples = text.split("\nExamples:\n")[1].split("\n\n")[0].splitlines()
        assert len(examples) == 3 and all(line.startswith("  " + " ".join(["miniprofd", *words])) for line in examples), examples
        table = [line.split("\t") for line in run("help", "--options", *words).stdout.decode().splitlines()]
        assert all(len(row) == 6 and row[4] and row[5] and f"--{row[0]}" in text and f"\n{row[4]}:\n" in text for row in table), table
        letters = [row[1] for row in table if row[1]]
        assert len(letters) == len(set(letters)) and "h" in letters, letters
        assert b"exit status: " in told.stdout


def told_in_a_terminal(*arguments):
    """Returns the exit status and standard error of a run in a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([MINIPROFD, *arguments], stderr=theirs, stdout=subprocess.DEVNULL)
    os.close(theirs)
    told = b""
    with contextlib.suppress(OSError):  # the end of a terminal
        while more := os.read(ours, 65536):
            told += more
    os.close(ours)
    return process.wait(), told.decode()


@case
def a_long_replay_shows_progress_on_a_terminal():
    with tempfile.TemporaryDirectory() as folder:
        capture = os.path.join(folder, "capture")
        messages = b"".join(syst_messages())
        with open(capture, "wb") as made:
            made.write(messages)
        half = len(messages) // 2
        with open(capture + ".pace", "w", encoding="ascii") as made:
            made.write(f"miniprofd-pace 1\n0 {half}\n3000000 {len(messages)}\n")
        how = ("--port", "file:" + capture, "--dialect", "syst", "--dialect-opt", "clock_hz=1000000", "--no-http", "--speed", "1")
        status, told = told_in_a_terminal(*how)
        assert status == 0 and re.search(r"\r50 % read, \d s left\033\[K\r", told) and told.endswith("\r\033[K\r"), told
        status, told = told_in_a_terminal(*how[:-2])
        assert status == 0 and "% read" not in told, told
        assert "% read" not in sentence(run(*how)) and "% read" not in told_in_a_terminal(*how, "-q")[1]


@case
def a_misspelt_word_gets_a_suggestion():
    for arguments, meant in ((["chek"], "'check'"), (["tops"], "'top'"), (["help", "docter"], "'doctor'"), (["--prot", "x"], "--port"),
                             (["check", "--basline", "x"], "--baseline"), (["device", "--potr", "x"], "--port"), (["doctor", "--elv", "x"], "--elf"),
                             (["mcp", "--token", "x"], "--token-file"), (["top", "--dealy", "1"], "--delay")):
        result = run(*arguments)
        assert result.returncode == 2 and f"did you mean {meant}?" in sentence(result) and "usage: miniprofd" in sentence(result), result
    assert run("help", "xyz").returncode == 2


@case
def options_come_from_command_line_environment_or_files():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/miniprofd")
        users, named = folder + "/miniprofd/config.json", folder + "/named.json"
        environment = {**os.environ, "XDG_CONFIG_HOME": folder}

        def read_from(*arguments, **more):
            """Returns the name of the missing file that it tried to read."""
            done = subprocess.run([MINIPROFD, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False, env={**environment, **more})
            assert done.returncode in (1, 2), done
            return re.sub(r".*/no/(\w+)\b.*\n", r"\1", done.stderr) if done.returncode == 1 else done.stderr

        for path, what in (users, "user"), (named, "named"):
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"port": "file:/no/" + what, "no-http": True}, file)
        assert read_from() == "user"
        assert read_from("--config", named) == read_from(MINIPROFD_CONFIG=named) == "named"
        assert read_from("--config", named, MINIPROFD_PORT="file:/no/env") == "env"
        assert read_from("--config", named, "-p", "file:/no/cli", MINIPROFD_PORT="file:/no/env") == "cli"
        assert read_from(MINIPROFD_PORT="") == "user"
        assert "fast" in read_from(MINIPROFD_BAUD="fast") and "environment" in read_from(MINIPROFD_BAUD="fast")
        assert "must be 1 or 0" in read_from(MINIPROFD_STRICT="maybe")
        assert read_from(MINIPROFD_STRICT="0", MINIPROFD_HELP="1") == "user"
        for variable, sentence in (("MINIPROFD_BUAD", "variable MINIPROFD_BUAD is of no option; did you mean MINIPROFD_BAUD?"),
                                   ("MINIPROFD_NO_CONTRL", "did you mean MINIPROFD_NO_CONTROL?"),
                                   ("MINIPROFD_", "variable MINIPROFD_ is of no option; unset it"),
                                   ("MINIPROFD_COLOUR_OF_THE_SKY", "variable MINIPROFD_COLOUR_OF_THE_SKY is of no option; unset it"),
                                   ("MINIPROFD_BAUD" + "_BAUD" * 40, "is of no option; unset it"), ("MINIPROFD_\x1b[2J", "MINIPROFD_?[2J is of no option")):
            said = subprocess.run([MINIPROFD], capture_output=True, text=True, timeout=PATIENCE, env={**environment, variable: "9600"}, check=False)
            assert said.returncode == 1 and said.stderr.count("miniprofd: warning: The environment's") == 1 and sentence in said.stderr, said
            quiet = subprocess.run([MINIPROFD, "-q"], capture_output=True, text=True, timeout=PATIENCE, env={**environment, variable: "9600"}, check=False)
            assert "warning" not in quiet.stderr, quiet
        assert read_from(MINIPROFD_OPTIONS="--baud 9600") == "user", "which the unit's command line is made of"
        with open(users, "w", encoding="utf-8") as file:
            file.write('{"prot": "x"}')
        assert "'prot'" in read_from() and users in read_from()
        assert subprocess.run([MINIPROFD, "--help"], capture_output=True, timeout=PATIENCE, env=environment, check=True).stdout
        home = {**environment, "HOME": folder, "XDG_CONFIG_HOME": ""}
        os.mkdir(folder + "/.config")
        os.rename(folder + "/miniprofd", folder + "/.config/miniprofd")
        assert "/.config/miniprofd/config.json" in read_from(**home)


@case
def a_command_has_its_own_section_in_the_configuration():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/miniprofd")
        users, named = folder + "/miniprofd/config.json", folder + "/named.json"
        environment = {**os.environ, "XDG_CONFIG_HOME": folder}

        def write(path, content):
            with open(path, "w", encoding="utf-8") as file:
                json.dump(content, file)

        def said(*arguments, status=2, **more):
            done = subprocess.run([MINIPROFD, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False, env={**environment, **more})
            assert done.returncode == status, done
            return done.stderr + done.stdout

        for command in "check", "device", "doctor", "mcp", "top":
            write(users, {command: {"nonsense-of-it": "x"}, "port": "file:/no/user"})
            assert f"is no option of miniprofd {command}" in said(command) and users in said(command), command
            assert "/no/user" in said("--no-http", status=1), "others have nothing to do with it"
            assert "usage: miniprofd " + command in said(command, "--help", status=0)
        write(users, {"chek": {"metric": "p99"}})
        assert "'chek'" in said()
        write(users, {"check": {"max-regres": "10%"}})
        assert "did you mean 'max-regress'?" in said("check", "--baseline", "a", "--against", "b")
        for wrong, sentence in (({"check": "p99"}, "must be an object"), ({"check": {"metric": True}}, "'metric' of check needs a value"),
                                ({"top": {"once": "x"}}, "'once' of top is true or false"), ({"check": {"metric": {}}}, "'metric' must be a text")):
            write(users, wrong)
            assert sentence in said(next(iter(wrong))), wrong
        compare = "check", "--baseline", "/no/before.json", "--against", "/no/after.json"
        write(users, {"check": {"metric": "slowest", "gone": "fail", "format": ["json", "text=/no/where"], "only": "x"}})
        assert "--metric takes" in said(*compare)
        assert "/no/before.json" in said(*compare, "--metric", "time", status=1), "the command line has the last word"
        assert '"inconclusive"' in said(*compare, "--metric=time", "--format", "json", "--only", "y", status=1), "its list is instead of the file's"
        write(named, {"check": {"metric": "time"}})
        assert "/no/before.json" in said(*compare, "-o", "text", MINIPROFD_CONFIG=named, status=1)


@case
def the_usual_options_have_short_forms():
    with tempfile.TemporaryDirectory() as folder:
        result = run("-qp", "x")
        assert result.returncode == 2, result
        path = os.path.join(folder, "profile.json")
        result = run("-p", "file:/dev/null", "-b", "9600", "-q", "--no-http", "-o", "json=" + path, "-e", folder + "/none.elf")
        assert result.returncode == 1 and "none.elf" in sentence(result), result
        for option, words in ("-q", 0), ("-v", 1):
            result = run("-pfile:/dev/null", option, "--no-http", "-ojson=" + path)
            assert ("debug: " in sentence(result)) == words and result.returncode == 1 and "is empty" in sentence(result), result


@case
def the_version_names_commit_and_libraries_when_asked():
    first, commit, *libraries = run("--version", "-v").stdout.decode().splitlines()
    assert first == run("--version").stdout.decode().strip() and re.fullmatch("commit (unknown|[0-9a-f]{12})", commit), (first, commit)
    assert any(name.startswith("libmicrohttpd.so") for name in libraries) and not any("/" in name for name in libraries), libraries


@case
def ports_are_listed_for_people_and_machines():
    assert run("--list-ports").returncode == 0
    assert isinstance(json.loads(run("--list-ports", "--json").stdout), list)


@case
def a_missing_resource_exits_with_1_and_one_error():
    with tempfile.TemporaryDirectory() as folder:
        capture = os.path.join(folder, "empty.bin")
        open(capture, "wb").close()
        junk = os.path.join(folder, "junk.elf")
        with open(junk, "wb") as f:
            f.write(b"\x7fELF but no more")
        for arguments, name in ((("--port", "file:" + folder + "/none.bin", "--no-http"), "none.bin"),
                                (("--port", "file:" + capture, "--elf", junk, "--no-http"), "junk.elf"),
                                (("--port", "file:" + capture, "--elf", folder + "/none.elf", "--no-http"), "none.elf"),
                                (("--port", "gopher:x", "--no-http"), "gopher:x"),
                                (("--port", "file:" + capture, "--no-http", "--export", "json=/no/such/folder/x"),
                                 "/no/such/folder/x")):
            result = run(*arguments)
            assert result.returncode == 1, (arguments, result)
            said = sentence(result).strip().splitlines()
            assert name in said[-1], said


@case
def help_that_cannot_be_written_exits_with_1():
    with open("/dev/full", "wb") as full:
        for option in ("--help", "--version"):
            result = subprocess.run([MINIPROFD, option], stdout=full, stderr=subprocess.PIPE, timeout=300)
            assert result.returncode == 1, result.returncode
            assert "standard output" in sentence(result), sentence(result)


@case
def an_address_in_use_exits_with_1():
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        capture = os.path.join(folder, "empty.bin")
        open(capture, "wb").close()
        address = "127.0.0.1:%d" % server.getsockname()[1]
        result = run("--port", "file:" + capture, "--listen", address)
        assert result.returncode == 1
        assert address in sentence(result) or str(server.getsockname()[1]) in sentence(result), sentence(result)


def record(folder, name="run.bin"):
    """Returns a capture of 50 rounds of the example, and the snapshot at its end."""
    path, snapshot = os.path.join(folder, name), os.path.join(folder, "live.json")
    firmware = subprocess.Popen([EXAMPLE_HOST, "--rounds", "50"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        port = firmware.stdout.readline().strip()
        with Daemon(MINIPROFD, "--port", port, "--elf", EXAMPLE_HOST, "--record", path,
                    "--export", "json=" + snapshot) as daemon:
            daemon.wait_for_link(lambda link: link["records"] >= 50 * 111)
    finally:
        firmware.kill()
        firmware.wait()
    with open(snapshot) as f:
        return path, json.load(f)


def statistics(snapshot):
    keys = ("calls", "total_ticks", "self_ticks", "min_ticks", "max_ticks", "p50_ticks", "p99_ticks")
    return {f["name"]: [f[k] for k in keys] for f in snapshot["functions"] if f["calls"]}


@case
def a_recording_replays_to_the_same_numbers():
    with tempfile.TemporaryDirectory() as folder:
        path, live = record(folder)
        out = os.path.join(folder, "replay.json")
        assert run("--port", "file:" + path, "--elf", EXAMPLE_HOST, "--no-http", "--export", "json=" + out).returncode == 0
        with open(out) as f:
            replay = json.load(f)
        assert statistics(live) == statistics(replay)
        assert sum(live["call_tree"]["calls"]) == 50 * 111
        with open(path, "rb") as f:
            piped = run("--port", "-", "--elf", EXAMPLE_HOST, "--no-http", "--export", "json=-", stdin=f.read())
        assert piped.returncode == 0
        assert statistics(json.loads(piped.stdout)) == statistics(replay)


def damaged(path):
    """Returns the capture with a changed byte in its middle."""
    with open(path, "rb") as f:
        captured = bytearray(f.read())
    captured[len(captured) // 2] ^= 0xFF
    return bytes(captured)


@case
def losses_are_reported_on_stderr_and_in_exports():
    with tempfile.TemporaryDirectory() as folder:
        path, _ = record(folder)
        whole = run("--port", "file:" + path, "--no-http", "--export", "json=-")
        assert "incomplete" not in whole.stderr.decode(), whole.stderr
        assert json.loads(whole.stdout)["complete"] is True
        assert json.loads(whole.stdout)["incomplete_because"] == []
        broken = run("--port", "-", "--no-http", "--export", "json=-", stdin=damaged(path))
        assert broken.returncode == 0
        assert "The profile is incomplete: " in broken.stderr.decode(), broken.stderr
        assert json.loads(broken.stdout)["complete"] is False
        for sentence in json.loads(broken.stdout)["incomplete_because"]:
            assert sentence in broken.stderr.decode()
        for format, words in ("callgrind", b"desc: Incomplete: "), ("chrome", b'"complete":false'), ("speedscope", b"(incomplete)"), \
                ("svg", b"incomplete: calls are missing"), ("prometheus", b"miniprofd_profile_complete 0"):
            told = run("--port", "-", "--no-http", "--export", format + "=-", stdin=damaged(path))
            assert words in told.stdout, format


@case
def an_unreadable_capture_ends_with_an_error():
    for noise, words in (b"", "is empty"), (bytes(i * 7 % 251 for i in range(5000)), "makes sense as miniprof"):
        result = run("--port", "-", "--dialect", "miniprof", "--no-http", "--export", "csv=-", stdin=noise)
        assert result.returncode == 1, words
        assert words in result.stderr.decode(), result.stderr


@case
def several_exports_are_written_at_once():
    with tempfile.TemporaryDirectory() as folder:
        path, live = record(folder)
        folded, table = os.path.join(folder, "out.folded"), os.path.join(folder, "out.csv")
        assert run("--port", "file:" + path, "--elf", EXAMPLE_HOST, "--no-http", "--export", "collapsed=" + folded,
                   "--export", "csv=" + table).returncode == 0
        with open(folded) as f:
            weights = [int(line.rsplit(" ", 1)[1]) for line in f]
        assert sum(weights) == sum(live["call_tree"]["self_ticks"])
        with open(table, newline="") as f:
            rows = [row for row in csv.DictReader(io.StringIO(f.read())) if row["calls"] != "0"]  # main still runs
        assert {r["function"]: int(r["calls"]) for r in rows} == {n: s[0] for n, s in statistics(live).items()}


@case
def with_a_page_a_replay_stays_until_a_signal():
    with tempfile.TemporaryDirectory() as folder:
        path, live = record(folder)
        with Daemon(MINIPROFD, "--port", "file:" + path, "--elf", EXAMPLE_HOST) as daemon:
            for name, data in daemon.events(20):
                if name in ("snapshot", "delta") and data["source"]["state"] == "ended":
                    break
            assert statistics(daemon.snapshot()) == statistics(live)


@case
def duration_ends_a_live_session():
    firmware = subprocess.Popen([EXAMPLE_HOST], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        port = firmware.stdout.readline().strip()
        result = run("--port", port, "--no-http", "--duration", "1.5", "--export", "json=-")
        assert result.returncode == 0, sentence(result)
        assert json.loads(result.stdout)["link"]["records"] > 0
    finally:
        firmware.kill()
        firmware.wait()


@case
def pprof_gets_the_profile_of_the_next_seconds():
    firmware = subprocess.Popen([EXAMPLE_HOST], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        port = firmware.stdout.readline().strip()
        with Daemon(MINIPROFD, "--port", port, "--elf", EXAMPLE_HOST) as daemon:
            daemon.wait_for_link(lambda link: link["records"] > 0)
            status, _, body = daemon.get("/debug/pprof/profile?seconds=1")
            assert status == 200, body
            assert b"control_cycle" in gzip.decompress(body)
            assert daemon.get("/debug/pprof/profile?seconds=0")[0] == 400
            assert daemon.get("/debug/pprof/profile?minutes=1")[0] == 400
    finally:
        firmware.kill()
        firmware.wait()


@case
def the_command_line_overrides_the_configuration_file():
    with tempfile.TemporaryDirectory() as folder:
        path, live = record(folder)
        config, out, other = (os.path.join(folder, name) for name in ("c.json", "out.json", "other.csv"))
        with open(config, "w") as f:
            json.dump({"port": "file:/no/such", "elf": EXAMPLE_HOST, "no-http": True,
                       "export": ["json=" + out, "csv=" + other], "dialect-opt": ["time_unit=us"]}, f)
        assert run("--config", config, "--port", "file:" + path).returncode == 0
        with open(out) as f:
            assert statistics(json.load(f)) == statistics(live)
        assert os.path.exists(other)
        with open(config, "w") as f:
            json.dump({"dtr": "off", "rts": "on", "no-http": True}, f)
        assert run("--config", config, "--port", "file:" + path).returncode == 0, "a file has no such lines"
        assert "--dtr and --rts are for serial ports" in sentence(run("--config", config, "--port", "file:" + path, "--rts", "off"))
        with open(config, "w") as f:
            json.dump({"speed": "1", "no-http": True}, f)
        assert b"--speed" not in run("--config", config, "--port", "unix:" + path, "--duration", "0.1").stderr, "it is no recording"
        assert "--speed is for recordings" in sentence(run("--config", config, "--port", "unix:" + path, "--speed", "2"))
        plain = os.path.join(folder, "no-pace.bin")
        shutil.copy(path, plain)
        assert run("--config", config, "--port", "file:" + plain).returncode == 0, "it does not say when its bytes came"
        assert "leave --speed out" in sentence(run("--config", config, "--port", "file:" + plain, "--speed", "2"))
        with open(config, "w") as f:
            f.write('{"prot": "x"}')
        assert "prot" in sentence(run("--config", config))
        with open(config, "w") as f:
            f.write("{")
        assert config in sentence(run("--config", config))


def source_of(name, *arguments):
    """Returns the daemon's answer about the source of function `name` of a recording."""
    with Daemon(MINIPROFD, "--elf", EXAMPLE_HOST, *arguments) as daemon:
        daemon.wait_for_link(lambda link: link["records"] > 0)
        ids = [f["id"] for f in daemon.snapshot()["functions"] if f["name"] == name]
        status, _, body = daemon.get(f"/api/v1/functions/{ids[0]}/source")
        assert status == 200, body
        return json.loads(body)


@case
def source_files_are_found_by_elf_or_option():
    with tempfile.TemporaryDirectory() as folder:
        path, _ = record(folder)
        there = source_of("control_cycle", "--port", "file:" + path)
        assert there["available"]["disassembly"] and len(there["instructions"]) > 5, there["reason"]
        if not there["available"]["source"]:
            assert "-g" in there["reason"]["source"], there["reason"]  # built without debug information
            return
        assert "control_cycle" in there["lines"][0]["text"], there["lines"][0]
        config, moved = os.path.join(folder, "c.json"), os.path.join(folder, "moved")
        os.mkdir(moved)
        with open(there["path"]) as file, open(os.path.join(moved, os.path.basename(there["path"])), "w") as copy:
            copy.write(file.read().replace("control_cycle", "moved_cycle"))
        with open(config, "w") as f:
            json.dump({"source-path": ["/no/such=/tmp", os.path.dirname(there["path"]) + "=" + moved]}, f)
        here = source_of("control_cycle", "--port", "file:" + path, "--config", config)
        assert "moved_cycle" in here["lines"][0]["text"], here["lines"][0]
        assert here["path"] == os.path.join(moved, os.path.basename(there["path"])), here["path"]


@case
def the_program_drops_privileges():
    with Daemon(MINIPROFD, "--port", "unix:/no/such") as daemon:
        for task in os.listdir(f"/proc/{daemon.process.pid}/task"):
            with open(f"/proc/{daemon.process.pid}/task/{task}/status") as file:
                status = dict(line.split(":", 1) for line in file)
            assert status["NoNewPrivs"].strip() == "1", task
            assert status.get("Seccomp", "2").strip() == "2", task


def landlock_version():
    """Returns the kernel's Landlock version; 0 or less without it."""
    return ctypes.CDLL(None).syscall(444, None, 0, 1)


@case
def files_are_written_only_where_options_say():
    if landlock_version() <= 0:
        raise Skip("this kernel has no Landlock")
    with tempfile.TemporaryDirectory() as folder:
        records, elsewhere, path = (os.path.join(folder, name) for name in ("records", "elsewhere", "uart"))
        os.mkdir(records)
        os.mkdir(elsewhere)
        with Daemon(MINIPROFD, "--port", "unix:" + path, "--elf", EXAMPLE_HOST, "--record-dir", records) as daemon:
            firmware = subprocess.Popen([EXAMPLE_HOST, "--unix", path], stdout=subprocess.DEVNULL)
            try:
                daemon.wait_for_link(lambda link: link["records"] > 0)
                post = ("{}", {"Content-Type": "application/json"})
                status, _, body = daemon.request("POST", "/api/v1/record/start", *post)
                assert status == 200 and len(os.listdir(records)) == 2, (status, body)
                daemon.request("POST", "/api/v1/record/stop", *post)
                os.rename(records, records + "-moved")
                os.symlink(elsewhere, records)
                status, _, body = daemon.request("POST", "/api/v1/record/start", *post)
                assert status == 500 and records in body.decode(), (status, body)
                assert not os.listdir(elsewhere)
            finally:
                firmware.send_signal(signal.SIGKILL)
                firmware.wait()


@case
def a_missing_port_is_waited_for():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "uart")
        with Daemon(MINIPROFD, "--port", "unix:" + path, "--elf", EXAMPLE_HOST) as daemon:
            source = daemon.snapshot()["source"]
            assert source["state"] == "connecting", source
            firmware = subprocess.Popen([EXAMPLE_HOST, "--unix", path, "--rounds", "3"], stdout=subprocess.DEVNULL)
            try:
                daemon.wait_for_link(lambda link: link["records"] >= 3 * 111)
            finally:
                firmware.send_signal(signal.SIGKILL)
                firmware.wait()
            for name, data in daemon.events(20):
                if name in ("snapshot", "delta") and data["source"]["state"] == "lost":
                    assert data["source"]["detail"], "the state is explained"
                    break
            else:
                raise AssertionError("the lost link was not noticed")


def full_pipe():
    """Returns both ends of a full pipe."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, b"-" * 4096)
    except BlockingIOError:
        os.set_blocking(writer, True)
    return reader, writer


@case
def readers_that_do_not_read_cannot_keep_it_from_ending():
    reader, writer = full_pipe()
    firmware = subprocess.Popen([EXAMPLE_HOST], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        port = firmware.stdout.readline().strip()
        for arguments, wanted in ((["--listen", "127.0.0.1:0"], 0), (["--no-http", "--export", "json=-"], -signal.SIGTERM)):
            with tempfile.TemporaryDirectory() as folder:
                record = os.path.join(folder, "run.bin")
                daemon = subprocess.Popen([MINIPROFD, "--port", port, "--record", record, *arguments],
                                          stdout=writer, stderr=writer)
                while not (os.path.exists(record) and os.path.getsize(record)):
                    assert daemon.poll() is None
                    time.sleep(0.02)
                # The first signal asks it to end; the second, while an export cannot be written, forces it.
                daemon.send_signal(signal.SIGTERM)
                while wanted != 0 and daemon.poll() is None:
                    daemon.send_signal(signal.SIGTERM)
                    time.sleep(0.05)
                assert daemon.wait(PATIENCE) == wanted
    finally:
        firmware.kill()
        firmware.wait()
        os.close(reader)
        os.close(writer)


@case
def closed_standard_descriptors_give_an_error_when_needed():
    def run_without(descriptor, *arguments):
        return subprocess.run(["sh", "-c", f'exec "$@" {descriptor}', "sh", MINIPROFD, *arguments], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=300, check=False)

    no_input = run_without("<&-", "--port", "-", "--no-http")
    assert no_input.returncode == 1 and "standard input" in sentence(no_input), no_input
    with tempfile.TemporaryDirectory() as folder:
        path, _ = record(folder)
        for arguments in (["--port", "file:" + path, "--no-http", "--export", "json=-"], ["--help"]):
            no_output = run_without(">&-", *arguments)
            assert no_output.returncode == 1 and "standard output" in sentence(no_output), no_output


@case
def a_failed_export_does_not_prevent_others():
    with tempfile.TemporaryDirectory() as folder:
        path, _ = record(folder)
        made = os.path.join(folder, "made.csv")
        result = run("--port", "file:" + path, "--no-http", "--export", "gmon=" + os.path.join(folder, "gmon.out"), "--export", "csv=" + made)
        assert result.returncode == 1 and "gmon" in sentence(result), sentence(result)
        assert os.path.getsize(made) > 0


@case
def a_wrong_elf_is_reported_in_batch_mode():
    firmware = subprocess.Popen([EXAMPLE_HOST], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        port = firmware.stdout.readline().strip()
        other = run("--port", port, "--elf", MINIPROFD, "--no-http", "--duration", "1")
        assert sentence(other).count(f"{MINIPROFD} is not the program that the device runs") == 1, sentence(other)
        same = run("--port", port, "--elf", EXAMPLE_HOST, "--no-http", "--duration", "1")
        assert "not the program" not in sentence(same), sentence(same)
    finally:
        firmware.kill()
        firmware.wait()


if __name__ == "__main__":
    sys.exit(run_cases())
