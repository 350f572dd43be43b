#!/usr/bin/env python3
"""mcp.py - `miniprofd mcp`: an assistant's questions are answered from the daemon that runs, and nothing that is said to it stops it.

usage: mcp.py MINIPROFD EXAMPLE_HOST. Prints TAP."""
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import syst_messages  # noqa: E402
from cases import case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402

MINIPROFD, EXAMPLE_HOST = map(os.path.abspath, sys.argv[1:3])
FOLDER = tempfile.TemporaryDirectory(prefix="miniprofd-test-")
CAPTURE = os.path.join(FOLDER.name, "capture")
with open(CAPTURE, "wb") as made:
    made.write(b"".join(syst_messages()))
REPLAY = "--port", f"file:{CAPTURE}", "--dialect", "syst", "--dialect-opt", "clock_hz=1000000"


class Assistant:
    """Talks to a server of the protocol."""

    def __init__(self, *arguments):
        self.server = subprocess.Popen([MINIPROFD, "mcp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.asked = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        out, err = self.server.communicate(timeout=60)
        assert (self.server.returncode, out, err) == (0, b"", b""), (self.server.returncode, out, err)

    def say(self, line):
        self.server.stdin.write(line + b"\n")
        self.server.stdin.flush()

    def hear(self):
        line = self.server.stdout.readline()
        assert line.endswith(b"\n"), line
        return json.loads(line)

    def ask(self, method, **parameters):
        self.asked += 1
        self.say(json.dumps({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": parameters}).encode())
        answer = self.hear()
        assert answer["jsonrpc"] == "2.0" and answer["id"] == self.asked, answer
        return answer

    def call(self, tool, **arguments):
        """(whether it failed, the text)"""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        assert [part["type"] for part in result["content"]] == ["text"], result
        return result["isError"], result["content"][0]["text"]


@case
def it_begins_as_the_protocol_says_and_lists_tools():
    with Assistant() as assistant:  # there is no daemon yet
        for asked, told in ("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-06-18"):
            result = assistant.ask("initialize", protocolVersion=asked, capabilities={}, clientInfo={"name": "test", "version": "1"})["result"]
            assert result["protocolVersion"] == told and result["capabilities"] == {"tools": {}} and result["serverInfo"]["name"] == "miniprofd", result
        assistant.say(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')  # wants no answer
        assert assistant.ask("ping")["result"] == {}
        tools = {tool["name"]: tool for tool in assistant.ask("tools/list")["result"]["tools"]}
        assert set(tools) == {"snapshot", "function", "compare", "check", "settings", "set"}
        assert tools["function"]["inputSchema"] == {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string", "description": tools["function"]["inputSchema"]["properties"]["name"]["description"]}}}
        assert [name for name, tool in tools.items() if not tool["annotations"]["readOnlyHint"]] == ["set"]


@case
def what_the_daemon_measured_is_told():
    with Daemon(MINIPROFD, *REPLAY, "--limit", "outer:max<1us") as daemon, Assistant("--at", daemon.address) as assistant:
        daemon.wait_until(lambda s: s["source"]["state"] == "ended")
        failed, page = assistant.call("snapshot")
        assert not failed and "| outer |" in page and "| inner |" in page, page
        failed, row = assistant.call("function", name="inner")
        row = json.loads(row)
        assert not failed and row["name"] == "inner" and row["calls"] == 10 and [edge["calls"] for edge in row["callers"]] == [10], row
        failed, both = assistant.call("check")
        findings, limits = map(json.loads, both.splitlines())
        assert not failed and findings["findings"] and limits["limits"][0]["state"] == "broken", both
        failed, status = assistant.call("settings")
        assert not failed and json.loads(status)["source"]["dialect"] == "syst", status
        assert assistant.call("function", name="nobody") == (True, "No function is called nobody; snapshot lists the busiest.")
        assert assistant.call("set", name="shortest", value=3)[0], "there is no device"


@case
def it_is_held_against_a_profile_of_before():
    before = os.path.join(FOLDER.name, "before.json")
    subprocess.run([MINIPROFD, *REPLAY, "--no-http", "--export", f"json={before}"], check=True, stderr=subprocess.DEVNULL)
    with open(before, encoding="utf-8") as file:
        faster = json.load(file)
    for row in faster["functions"]:
        if row["name"] == "inner":
            row["self_ticks"] //= 2
    with open(os.path.join(FOLDER.name, "faster.json"), "w", encoding="utf-8") as file:
        json.dump(faster, file)
    with Daemon(MINIPROFD, *REPLAY) as daemon, Assistant("--at", daemon.address) as assistant:
        daemon.wait_until(lambda s: s["source"]["state"] == "ended")
        assert assistant.call("compare", baseline=before) == (False, "0 of 2 functions became slower; 0 are gone, 0 are new, 0 cannot be compared\n")
        failed, words = assistant.call("compare", baseline=os.path.join(FOLDER.name, "faster.json"), metric="self-mean")
        assert not failed and words.startswith("inner became slower: self-mean ") and "1 of 2 functions" in words, words
        for wrong in {"baseline": before, "metric": "x"}, {"baseline": CAPTURE}, {"baseline": "/none"}, {}, {"baseline": 3}:
            assert assistant.call("compare", **wrong)[0], wrong


@case
def the_devices_settings_are_read_and_set():
    firmware = subprocess.Popen([EXAMPLE_HOST], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        port = firmware.stdout.readline().strip()
        with Daemon(MINIPROFD, "--port", port) as daemon, Assistant("--at", daemon.address) as assistant:
            daemon.wait_until(lambda s: s["target"]["description"])

            def shortest():
                settings = json.loads(assistant.call("settings")[1])["target"]["description"]["settings"]
                return next(setting["value"] for setting in settings if setting["name"] == "shortest")
            assert shortest() == 0
            assert not assistant.call("set", name="shortest", value=7)[0] and shortest() == 7
            for wrong in {"name": "shortest", "value": -1}, {"name": "shortest", "value": 1.5}, {"name": "shortest", "value": "7"}, {"name": "none", "value": 1}, {"value": 1}:
                failed, why = assistant.call("set", **wrong)
                assert failed and why, wrong
            assert shortest() == 7
    finally:
        firmware.kill()
        firmware.wait()


@case
def a_daemon_that_is_not_there_costs_a_sentence_each_time():
    with Assistant("--at", f"unix:{FOLDER.name}/none") as assistant:
        for tool in "snapshot", "check", "settings":
            failed, why = assistant.call(tool)
            assert failed and why.startswith("Cannot reach a miniprofd at unix:"), why


@case
def whatever_is_said_gets_an_answer_and_the_next_is_heard():
    wrong = [(b"", None), (b"{", -32700), (b"\xff\xfe", -32700), (b"[]", -32600), (b"3", -32600), (b'{"id":1}', -32600), (b'{"id":1,"method":7}', -32600),
             (b'{"id":1,"method":"none"}', -32601), (b'{"id":"a","method":"tools/call"}', -32602), (b'{"id":1,"method":"tools/call","params":{"name":3}}', -32602),
             (b"[" * 200000, -32700), (b'"' + b"a" * (2 << 20) + b'"', -32700), (b'{"method":"none"}', None)]
    with Assistant() as assistant:
        for line, code in wrong:
            assistant.say(line)
            if code is not None:
                assert assistant.hear()["error"]["code"] == code, line[:50]
            assert assistant.ask("ping")["result"] == {}
        assert assistant.call("none") == (True, "There is no tool none.")
        chance = random.Random(3)
        whole = json.dumps({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "function", "arguments": {"name": "f"}}}).encode()
        for _ in range(200):
            line = bytearray(whole)
            for _ in range(chance.randrange(1, 4)):
                line[chance.randrange(len(line))] = chance.choice(b'{}[]",:0e-\\\xff')
            assistant.say(bytes(line))
        assistant.say(b'{"jsonrpc":"2.0","id":"last","method":"ping"}')
        while assistant.hear().get("id") != "last":
            pass


@case
def wrong_usage_is_told():
    for options in ["--what"], ["--at"], ["--at", "x", "more"]:
        done = subprocess.run([MINIPROFD, "mcp", *options], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert done.returncode == 2 and "miniprofd mcp --help" in done.stderr, done
    bad = subprocess.run([MINIPROFD, "mcp", "--at", "ftp://x"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert bad.returncode == 1 and "--at takes an address" in bad.stderr, bad
    assert "usage: miniprofd mcp" in subprocess.run([MINIPROFD, "mcp", "--help"], capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(run_cases())
