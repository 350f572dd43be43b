#!/usr/bin/env python3
"""plain_names.py - names with commands for terminals, CI runners or spreadsheets are made harmless in every output.

usage: plain_names.py MINIPROFD. Prints TAP."""
import csv
import io
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import syst_message  # noqa: E402
from cases import case, run_cases  # noqa: E402
from packets import METADATA, calls, framed  # noqa: E402

MINIPROFD = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory(prefix="miniprofd-test-")

# Each is a command to some reader: ESC, C1 controls, direction of text, commands of GitHub, Azure and older runners, formulas, more lines.
NAMES = ["\x1b]0;title\x07", "\u009b31mred", "\u202egnp.exe\u2066", "::stop-commands::token", "  ::error::x", "\u2003::error::x", "##[error]x", "x ##vso[task.complete]",
         "=1+1", " @SUM(1)", "-2", "\uff1dcmd", "two\n::error::lines", "back\rspace\x08", "\u2028::error::x", "\u200b=1", "del\x7f", "same\x01", "same\x02", "plain"]
ORDERS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]")
GITHUB = re.compile(r"::(error|warning) [^:]*::")


def is_plain(text, own=None):
    """Fails if a reader of lines would execute a command. Lines may begin with `own`."""
    found = ORDERS.search(text)
    assert not found, (found, text[max(0, found.start() - 40):found.start() + 40])
    for line in text.split("\n"):
        assert not re.search(r"##(\[|vso\[)", line), line
        assert not line.strip().startswith("::") or (own and own.match(line)), line


def path(name, content=None):
    place = os.path.join(FOLDER.name, name)
    if content is not None:
        with open(place, "wb") as f:
            f.write(content)
    return place


def capture():
    """Returns nested calls of functions with these names, and messages with these texts."""
    out, at = b"", 1000
    for name in NAMES:
        text = name.encode() + b"\0"
        for kind, later in ((2, 0), (11, 20), (3, 50)):
            out += syst_message(2, kind, at + later, text)
        at += 100
    return out


def run(*arguments, status=0):
    result = subprocess.run([MINIPROFD, *arguments], capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
    assert status is None or result.returncode == status, (arguments, result)
    is_plain(result.stderr.decode())
    return result.stdout.decode()


def exported(form, *options):
    return run("--port", "file:" + path("names.bin"), "--dialect", "syst", "--no-http", "--export", form + "=-", *options)


@case
def every_format_of_lines_is_plain():
    path("names.bin", capture())
    names = {f["name"] for f in json.loads(exported("json"))["functions"]}
    assert set(NAMES) <= names, names ^ set(NAMES)
    for form in "collapsed", "csv", "callgrind", "markdown", "prometheus":
        text = exported(form)
        is_plain(text.replace("\r\n", "\n") if form == "csv" else text)
        assert "plain" in text, form
    picture = re.sub("^\t+", "", exported("svg"), flags=re.M)  # before lines of its script
    assert not ORDERS.search(exported("json")) and not ORDERS.search(picture)


@case
def no_cell_of_a_table_is_a_formula():
    path("names.bin", capture())
    text = exported("csv")
    is_plain(text.replace("\r\n", "\n").replace("\t", " "))
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    assert "'=1+1" in cells and "?=1" in cells, cells
    for cell in cells:
        assert not re.match(r"\s*[=+@\uff1d]|\s*-[^0-9.]", cell) and cell != "-2", cell


@case
def messages_equal_the_reference_without_control_codes():
    path("names.bin", capture())
    text = exported("systcsv")
    assert "=1+1" in text and "'=1+1" not in text, text
    assert not any(ord(c) < 32 and c not in "\n\t" or 0x7F <= ord(c) < 0xA0 for c in text), text


@case
def two_names_that_become_one_are_two_series():
    path("names.bin", capture())
    lines = [line.rsplit(" ", 1)[0] for line in exported("prometheus").split("\n") if line and line[0] != "#"]
    assert len(lines) == len(set(lines)) and sum("miniprofd_function_calls_total{function=\"same?" in line for line in lines) == 2, lines


@case
def a_check_gives_runners_only_its_findings():
    path("names.bin", capture())
    before = json.loads(exported("json"))
    before["complete"], before["incomplete"], before["link"]["records"] = True, [], 3000
    before["target"]["ticks_per_second"] = 1000000
    for number, function in enumerate(before["functions"]):
        function["file"], function["line"] = NAMES[number % len(NAMES)] + ".c", 7
    after = json.loads(json.dumps(before))
    for function in after["functions"]:
        for key in "total_ticks", "self_ticks", "sum_ticks", "max_ticks", "p50_ticks", "p99_ticks", "calls":
            if function.get(key):
                function[key] = 1000 * function[key] + 1000000
    path("before.json", json.dumps(before).encode())
    path("after.json", json.dumps(after).encode())
    for form in "text", "gcc", "github", "junit", "markdown", "bmf", "json":
        text = run("check", "--baseline", path("before.json"), "--against", path("after.json"), "--metric", "calls", "--format", form, status=3)
        assert "plain" in text, (form, text)
        is_plain(text if form not in ("json", "bmf") else text.replace("##", ""), GITHUB if form == "github" else None)


@case
def names_of_devices_are_escaped_in_log_and_doctor():
    for name in NAMES:
        said = name.encode()[:16].ljust(16, b"\0")
        place = path("device.bin", framed(METADATA, struct.pack("<III", 8000000, 1000000, 0) + said) + calls((0x1000, 5, 10, 0)) * 3)
        run("--port", "file:" + place, "--no-http", "--log-level", "debug", status=None)
        is_plain(run("doctor", "--port", "file:" + place, status=None))
        run("--port", "file:" + place + name.replace("\0", ""), "--no-http", status=None)
        is_plain(run("doctor", "--port", "file:" + place + name, "--elf", place + name, status=None))


class Liar(BaseHTTPRequestHandler):
    answer = b""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self.answer)))
        self.end_headers()
        self.wfile.write(self.answer)

    do_POST = do_GET

    def log_message(self, *_):
        pass


class Cutter(Liar):
    raw = b""

    def do_GET(self):
        try:
            self.wfile.write(b"HTTP/1.1 200 OK\r\n" + self.raw)
        except OSError:
            pass  # the client has closed the connection

    do_POST = do_GET


@case
def answers_of_a_daemon_are_escaped_by_miniprofd_device():
    server = HTTPServer(("127.0.0.1", 0), Liar)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        for name in NAMES:
            settings = [{"name": name, "unit": name, "least": 0, "most": 1, "value": 0}]
            target = {"fw_version": name, "profiling": True, "mode": name, "trigger": {"when": name, "state": name, "detail": name},
                      "description": {"versions": [2], "settings": settings}}
            Liar.answer = json.dumps({"target": target}, ensure_ascii=False).encode()
            at = f"http://127.0.0.1:{server.server_address[1]}"
            is_plain(run("device", "--at", at, "status"))
            assert not ORDERS.search(run("device", "--at", at, "--json", "status"))
    finally:
        server.shutdown()


@case
def a_truncated_answer_is_refused():
    server = HTTPServer(("127.0.0.1", 0), Cutter)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        at = f"http://127.0.0.1:{server.server_address[1]}"
        for Cutter.raw in (b"Content-Length: 100\r\n\r\n{\"target\": {}}", b"Transfer-Encoding: chunked\r\n\r\ne\r\n{\"target\": {}}\r\n",
                           b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}\r\n"):
            result = subprocess.run([MINIPROFD, "device", "--at", at, "status"], capture_output=True, timeout=60)
            assert result.returncode == 1 and b"was cut off" in result.stderr and not result.stdout, (Cutter.raw, result)
        Cutter.raw = b"Transfer-Encoding: chunked\r\n\r\n7\r\n{\"targe\r\n7\r\nt\": {}}\r\n0\r\n\r\n"
        assert "firmware" in run("device", "--at", at, "status")
        Cutter.raw = b"\r\n" + b"x" * (1 << 22)
        result = subprocess.run([MINIPROFD, "device", "--at", at, "status"], capture_output=True, timeout=60)
        assert result.returncode == 1 and b"is longer than" in result.stderr, result
    finally:
        server.shutdown()


sys.exit(run_cases())
