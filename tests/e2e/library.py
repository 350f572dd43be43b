#!/usr/bin/env python3
"""library.py - a program with libmpt_host: every call and every edge of a run is reported, also the last one before its end.

usage: library.py MINIPROFD PROGRAM ADDRESS MODE
PROGRAM is example-words, ADDRESS the value of MPT_HOST (tcp:0, pty, or unix for a temporary path), MODE stream or tree. Prints TAP."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from daemon import PATIENCE, Daemon, paths_of  # noqa: E402
from example import differences, measured, wait_until_placed  # noqa: E402

TEXT = " ".join(f"{chr(97 + i * 7 % 26)}{chr(97 + i * i % 26)} the word, {'again ' * (i % 3)}" for i in range(40)) + "end."


def expected(comparisons):
    """Returns (calls of each function, calls of each edge) of words.c over TEXT, in the thread of main."""
    words = re.findall("[a-z]+", TEXT)
    branches, descents, added = {"": [None, None]}, 0, 0
    for word in words:
        node = ""
        while word != node:
            side = 0 if word < node else 1
            if branches[node][side] is None:
                branches[node][side] = word
                branches[word] = [None, None]
                added += 1
                break
            node = branches[node][side]
            descents += 1
    gaps = sum(len(gap) for gap in re.findall("[^a-z]", TEXT))
    letters = sum(len(word) for word in words)
    # Before a word, each gap character and the first letter are checked; in it, each letter and the character that ends it.
    looks = (gaps + len(words)) + (letters + len(words))
    edges = {("main", "next_word"): len(words) + 1, ("next_word", "is_letter"): looks + 1,  # '\0' is checked once more
             ("main", "count_word"): len(words), ("count_word", "count_word"): descents, ("count_word", "add_word"): added,
             ("main", "print_most_frequent"): 1, ("print_most_frequent", "by_count"): comparisons}
    calls = {"main": 1}
    for (_, callee), n in edges.items():
        calls[callee] = calls.get(callee, 0) + n
    return calls, edges


def wait_until_told(daemon, mode):
    """Waits until the target sends the requested mode, which is unknown while its link is down."""
    for name, _ in daemon.events(30):
        if name in ("snapshot", "delta") and daemon.snapshot()["target"]["mode"] == mode:
            return
    raise AssertionError(f"the program never sent in mode {mode}")


def run(miniprofd, program, address, mode):
    """Returns (standard output, standard error after the address, exit status, snapshot of the whole run) of the program."""
    environment = {**os.environ, "MPT_HOST": address, "MPT_HOST_WAIT": str(PATIENCE * 1000)}
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=environment)
    try:
        port, elf = re.fullmatch(r"mpt_host: miniprofd --port (\S+) --elf (\S+)\n", process.stderr.readline()).groups()
        with Daemon(miniprofd, "--port", port, "--elf", elf, *(["--mode", "tree"] if mode == "tree" else [])) as daemon:
            wait_until_told(daemon, mode)
            process.stdin.write(TEXT)
            process.stdin.close()
            output = process.stdout.read()
            said = process.stderr.read()
            status = process.wait()
            total = sum(expected(int(re.search(r"(\d+) comparisons", output)[1]))[0].values())
            snapshot = wait_until_placed(daemon, total)
        return output, said, status, snapshot
    finally:
        process.kill()
        process.wait()


def main(miniprofd, program, address, mode):
    with tempfile.TemporaryDirectory() as folder:
        output, said, status, snapshot = run(miniprofd, program, f"unix:{folder}/words" if address == "unix" else address, mode)
        problems = [f"{folder}/words was left behind"] if os.path.exists(f"{folder}/words") else []
    want_calls, want_edges = expected(int(re.search(r"(\d+) comparisons", output)[1]))
    got_calls, got_edges = measured(snapshot)
    problems += differences(got_calls, want_calls) + differences(got_edges, want_edges)
    if (status, said) != (0, ""):
        problems.append(f"exit status {status}, {said!r}")
    for key in ("crc_errors", "framing_errors", "malformed", "bytes_skipped", "unplaced_calls"):
        if snapshot["link"][key]:
            problems.append(f"link.{key} is {snapshot['link'][key]}")
    if snapshot["target"]["elf_match"] is not True:
        problems.append(f"elf_match is {snapshot['target']['elf_match']}")
    print("1..1")
    print(("not ok" if problems else "ok") + f" 1 - {sum(want_calls.values())} calls of {os.path.basename(program)} come out exactly, mode {mode}")
    for problem in problems:
        print("# " + problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
