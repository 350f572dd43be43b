#!/usr/bin/env python3
"""mcp.py - `miniprofd mcp`: an assistant's requests are answered from the running daemon, and no input stops it.

usage: mcp.py MINIPROFD EXAMPLE_HOST. Prints TAP."""
import http.server
import json
import os
import random
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import syst_message, syst_messages, syst_talk  # noqa: E402
from cases import case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402

MINIPROFD, EXAMPLE_HOST = map(os.path.abspath, sys.argv[1:3])
FOLDER = tempfile.TemporaryDirectory(prefix="miniprofd-test-")
CAPTURE = os.path.join(FOLDER.name, "capture")
with open(CAPTURE, "wb") as made:
    made.write(b"".join(syst_messages()))
REPLAY = "--port", f"file:{CAPTURE}", "--dialect", "syst", "--dialect-opt", "clock_hz=1000000"


def conform(value, schema, where):
    """Checks a value against the part of JSON Schema that the tools use; other keywords fail."""
    assert set(schema) <= {"type", "properties", "items", "description", "required"}, (where, schema)
    types = {"object": dict, "array": list, "string": str, "integer": int, "null": type(None)}
    wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    assert any(type(value) is types[one] for one in wanted), (where, value, wanted)
    for name, inner in schema.get("properties", {}).items():
        if name in value:
            conform(value[name], inner, f"{where}.{name}")
    for i, element in enumerate(value if isinstance(value, list) else []):
        conform(element, schema["items"], f"{where}[{i}]")


class Assistant:
    """Talks to a server of the protocol."""

    def __init__(self, *arguments):
        self.server = subprocess.Popen([MINIPROFD, "mcp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.asked = 0
        self.schemas = self.structured = None

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
        said = json.loads(line)
        assert len(line) <= 8192 or "tools" in said.get("result", {}), len(line)
        return said

    def ask(self, method, **parameters):
        self.asked += 1
        self.say(json.dumps({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": parameters}).encode())
        answer = self.hear()
        assert answer["jsonrpc"] == "2.0" and answer["id"] == self.asked, answer
        return answer

    def call(self, tool, **arguments):
        """Returns (has failed, text), and checks the structured content of a success against the tool's schema."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        assert [part["type"] for part in result["content"]] == ["text"], result
        assert ("structuredContent" in result) != result["isError"], result
        if not result["isError"]:
            if not self.schemas:
                self.schemas = {one["name"]: one["outputSchema"] for one in self.ask("tools/list")["result"]["tools"]}
            conform(result["structuredContent"], self.schemas[tool], tool)
        self.structured = result.get("structuredContent")
        return result["isError"], result["content"][0]["text"]

    def walk(self, tool, key, **arguments):
        """Returns all items that a tool lists under `key`, page by page, and the number of pages."""
        offset, whole, pages = 0, None, 0
        while offset is not None:
            failed, why = self.call(tool, offset=offset, **arguments)
            assert not failed and self.structured["offset"] == offset, (offset, why)
            some, pages = self.structured[key], pages + 1
            whole = some if whole is None else whole + some
            after = self.structured.get("next_offset")
            assert after is None or after > offset, (after, offset)
            offset = after
        assert self.structured["total"] == len(whole.encode() if isinstance(whole, str) else whole), (tool, self.structured["total"])
        return whole, pages


@case
def initialization_follows_the_protocol_and_lists_tools():
    with Assistant() as assistant:  # there is no daemon yet
        for asked, told in ("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-11-25"):
            result = assistant.ask("initialize", protocolVersion=asked, capabilities={}, clientInfo={"name": "test", "version": "1"})["result"]
            assert result["protocolVersion"] == told and result["capabilities"] == {"tools": {}} and result["serverInfo"]["name"] == "miniprofd", result
        assistant.say(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')  # needs no answer
        assert assistant.ask("ping")["result"] == {}
        tools = {tool["name"]: tool for tool in assistant.ask("tools/list")["result"]["tools"]}
        assert set(tools) == {"snapshot", "function", "tasks", "timeline", "messages", "limits", "windows", "compare", "check", "settings", "set", "record"}
        assert tools["function"]["inputSchema"]["required"] == ["name"] and set(tools["function"]["inputSchema"]["properties"]) == {"name", "part", "offset"}
        assert all(tool["outputSchema"]["type"] == "object" for tool in tools.values())
        assert [name for name, tool in tools.items() if not tool["annotations"]["readOnlyHint"]] == ["set", "record"]


@case
def tools_return_the_profile_of_the_daemon():
    with Daemon(MINIPROFD, *REPLAY, "--limit", "outer:max<1us") as daemon, Assistant("--at", daemon.address) as assistant:
        daemon.wait_until(lambda s: s["source"]["state"] == "ended")
        failed, page = assistant.call("snapshot")
        assert not failed and "| outer |" in page and "| inner |" in page, page
        failed, row = assistant.call("function", name="inner")
        row = json.loads(row)
        assert not failed and row["name"] == "inner" and row["calls"] == 10 and [edge["calls"] for edge in row["callers"]] == [10], row
        failed, both = assistant.call("check")
        both = json.loads(both)
        assert not failed and both["findings"] and both["limits"][0]["state"] == "broken" and both["breaches"] == 10, both
        failed, status = assistant.call("settings")
        assert not failed and json.loads(status)["source"]["dialect"] == "syst", status
        assert assistant.call("function", name="nobody") == (True, "No function is called nobody; snapshot lists the busiest.")
        assert assistant.call("set", name="shortest", value=3)[0], "there is no device"


@case
def lists_are_paged():
    many = os.path.join(FOLDER.name, "many")
    with open(many, "wb") as file:
        for i in range(60):
            file.write(b"".join(syst_talk()) if i == 0 else b"".join(syst_message(2, 11, 40000 + 100 * i, b"a longer text, number %d\0" + i.to_bytes(4, "little")) for _ in range(2)))
    replay = "--port", f"file:{many}", "--dialect", "syst", "--dialect-opt", "clock_hz=1000000"
    with Daemon(MINIPROFD, *replay, "--limit", "outer:max<1us", "--limit", "inner:max<1us") as daemon, Assistant("--at", daemon.address) as assistant:
        daemon.wait_until(lambda s: s["source"]["state"] == "ended")
        snapshot = json.loads(daemon.get("/api/v1/snapshot")[2])
        messages, pages = assistant.walk("messages", "messages")
        assert messages == snapshot["messages"][::-1] and pages > 2, pages
        tasks, _ = assistant.walk("tasks", "tasks")
        assert [task["name"] for task in tasks] == [task["name"] for task in snapshot["contexts"]] and tasks[0]["ticks"] == 9000, tasks
        calls, _ = assistant.walk("timeline", "calls")
        assert sorted((call["function"], call["start"], call["duration"]) for call in calls) == sorted(
            [("outer", 1000 * i, 900) for i in range(10)] + [("inner", 1000 * i + 100, 200) for i in range(10)]), calls
        some, _ = assistant.walk("timeline", "calls", **{"from": 2000, "to": 2950})
        assert [(call["function"], call["start"]) for call in some] == [("outer", 2000), ("inner", 2100)], some
        findings, _ = assistant.walk("check", "findings")
        assert findings == json.loads(daemon.get("/api/v1/doctor")[2])["findings"] and len(assistant.structured["limits"]) == 2, findings
        breaches, pages = assistant.walk("limits", "breaches", part="breaches")
        assert breaches == json.loads(daemon.get("/api/v1/limits")[2])["breaches"]["rows"] and len(breaches) == 20, breaches
        assert [limit["state"] for limit in assistant.walk("limits", "limits")[0]] == ["broken"] * 2
        assert assistant.walk("windows", "windows")[0] == []
        assert "| outer |" in assistant.walk("snapshot", "markdown")[0]
        failed, said = assistant.call("function", name="inner")
        row = json.loads(said)
        for part in "histogram", "longest", "callers":
            assert part in row or part in row["left_out"], (part, row)
        assert assistant.walk("function", "items", name="inner", part="longest")[0][0]["duration"] == 200
        assert assistant.call("function", name="inner", part="nothing")[0]
        assert not assistant.call("messages", offset=10**6)[0] and assistant.structured["messages"] == []
        for offset in -1, 0.5, 2**60, "3":
            assert assistant.call("messages", offset=offset)[0], offset
        assert assistant.call("limits", part="x")[0] and assistant.call("timeline", **{"from": -1})[0]


@case
def names_are_accepted_as_they_are_printed():
    names = ["Biquad::process(int)", "operator<<", "a|b*c_d", "x" * 200, "tab\there", "##[error]", "Köln(unsigned)"]
    capture = os.path.join(FOLDER.name, "names")
    with open(capture, "wb") as file:
        for i, name in enumerate(names):
            file.write(syst_message(2, 2, 1000 * i, name.encode() + b"\0") + syst_message(2, 3, 1000 * i + 500, name.encode() + b"\0"))
    replay = "--port", f"file:{capture}", "--dialect", "syst", "--dialect-opt", "clock_hz=1000000"
    with Daemon(MINIPROFD, *replay) as daemon, Assistant("--at", daemon.address) as assistant:
        daemon.wait_until(lambda s: s["source"]["state"] == "ended")
        page, _ = assistant.walk("snapshot", "markdown")
        table = page[page.index("|---"):].splitlines()[1:len(names) + 1]
        printed = [line.replace("\\|", "\0").split(" | ")[0].strip("| ").replace("\0", "\\|") for line in table]
        told = [function["name"] for function in json.loads(daemon.get("/api/v1/snapshot")[2])["functions"]]
        assert len(printed) == len(names) == len(told), (printed, told)
        found = []
        for name in printed + told:
            failed, said = assistant.call("function", name=name)
            assert not failed, (name, said)
            found.append(assistant.structured["name"])
        assert sorted(found[:len(names)]) == sorted(told) and found[len(names):] == told, found


@case
def ids_are_repeated_as_they_were_written():
    with Assistant() as assistant:
        for number in ("9007199254740993", "18446744073709551615", "-7", "1.50", "12345678901234567890123", '"a\\u00e9b"', '"9007199254740993"'):
            assistant.say(b'{"method":"ping","jsonrpc":"2.0","params":{"id":3},"id":' + number.encode() + b"}")
            line = assistant.server.stdout.readline()
            assert (b'"id":' + number.encode() + b",") in line or json.loads(line)["id"] == json.loads(number) and number[0] == '"', line


class Lame(http.server.BaseHTTPRequestHandler):
    """A server other than miniprofd: `answers` maps paths to bytes."""
    answers = {}

    def do_GET(self):
        self.wfile.write(self.answers.get(self.path, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"))
        self.close_connection = True

    do_POST = do_GET

    def log_message(self, *_):
        pass


@case
def an_answer_that_is_cut_or_makes_no_sense_is_an_error():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Lame)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    whole = b'{"functions":[{"name":"f","id":0}],"messages":[{"text":"a"}]}'
    try:
        with Assistant("--at", f"http://127.0.0.1:{server.server_port}") as assistant:
            for body in (b"Content-Length: 999\r\n\r\n" + whole, b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(whole) + whole + b"\r\n", b"\r\n" + whole[:-4],
                         b"\r\n[1,2]", b"\r\n" + b"[" * 5000, b"Content-Length: 3\r\n\r\n" + whole):
                Lame.answers = {"/api/v1/snapshot": head + body}
                for tool in "messages", "tasks", "function":
                    failed, why = assistant.call(tool, **({"name": "f"} if tool == "function" else {}))
                    assert failed and why, (body, why)
            # Lines of an answer, and texts longer than the limit, stay inside it.
            odd = b'{"messages":[{"text":"one\ntwo"},{"text":"' + b"#" * 9000 + b'"},{"text":"last"}]}'
            Lame.answers = {"/api/v1/snapshot": head + b"\r\n" + odd}
            messages, _ = assistant.walk("messages", "messages")
            assert [set(message) for message in messages] == [{"text"}, {"left_out"}, {"text"}] and messages[2]["text"] == "one two", messages
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@case
def a_recording_is_begun_and_ended():
    with Daemon(MINIPROFD, *REPLAY, "--record-dir", FOLDER.name) as daemon, Assistant("--at", daemon.address) as assistant:
        assert assistant.call("record", action="pause") == (True, "action takes start or stop, not pause.")
        assert assistant.call("record", action="stop")[0]


@case
def the_profile_is_compared_with_a_baseline():
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
        assert assistant.call("compare", baseline=before) == (False, "0 of 2 functions became slower; 0 gone, 0 new, 0 not comparable\n")
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
def bad_requests_get_an_error_and_the_next_is_answered():
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
def wrong_usage_gives_an_error():
    for options in ["--what"], ["--at"], ["--at", "x", "more"]:
        done = subprocess.run([MINIPROFD, "mcp", *options], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert done.returncode == 2 and "miniprofd mcp --help" in done.stderr, done
    bad = subprocess.run([MINIPROFD, "mcp", "--at", "ftp://x"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert bad.returncode == 2 and "--at takes an address" in bad.stderr, bad
    assert "usage: miniprofd mcp" in subprocess.run([MINIPROFD, "mcp", "--help"], capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(run_cases())
