#!/usr/bin/env python3
"""announce.py - the list of addresses for Prometheus that several daemons share.

usage: announce.py MINIPROFD EXAMPLE_HOST. Prints TAP."""
import fcntl
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

MINIPROFD, EXAMPLE_HOST = sys.argv[1:3]
PATIENCE = 120
FOREIGN = [{"targets": ["10.0.0.1:7777", "10.0.0.2:7777"], "labels": {"board": "far \"away\" ü", "rack": "7"}}, {"targets": ["10.0.0.3:9100"], "labels": {}}]


class Announced:
    """A daemon with an empty recording, which has written its entry once it has printed its address."""

    def __init__(self, path, *more, port="file:/dev/null", as_user=None):
        self.process = subprocess.Popen([MINIPROFD, "--port", port, "--listen", "127.0.0.1:0", "--announce", path, "--log-level", "warning", *more],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **(as_user or {}))
        line = self.process.stdout.readline()
        self.address = line.removeprefix("listening on http://").strip().rstrip("/")

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        said = self.process.communicate(timeout=PATIENCE)[1]
        # Under scripts/coverage another user may not write root's counters, and gcc's library warns of each file.
        return self.process.returncode, "".join(line for line in said.splitlines(True) if not line.startswith("profiling:"))


def entries(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write(path, value):
    with open(path, "w", encoding="utf-8") as file:
        file.write(value if isinstance(value, str) else json.dumps(value))


def comes_and_goes(folder):
    path = os.path.join(folder, "boards.json")
    write(path, FOREIGN)
    one, two = Announced(path, "--board", "bench-3"), Announced(path)
    there = entries(path)
    assert there[:2] == FOREIGN, there
    ours = {entry["targets"][0]: entry["labels"] for entry in there[2:]}
    assert set(ours) == {one.address, two.address} and len(there) == 4, there
    assert ours[one.address]["board"] == "bench-3" and ours[two.address]["board"] == "file:/dev/null", ours
    version = subprocess.run([MINIPROFD, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    assert all(labels["version"] == version and "build_id" not in labels for labels in ours.values()), ours
    assert one.stop()[0] == 0
    assert [entry["targets"][0] for entry in entries(path)[2:]] == [two.address]
    assert two.stop()[0] == 0
    assert entries(path) == FOREIGN
    assert sorted(os.listdir(folder)) == ["boards.json", "boards.json.lock"], os.listdir(folder)


def is_replaced(folder):
    """A killed daemon leaves an entry, which the next one at the same address replaces; a half-written list is replaced."""
    path = os.path.join(folder, "boards.json")
    killed = Announced(path, "--board", "first")
    assert killed.stop(signal.SIGKILL)[0] != 0
    assert [entry["labels"]["board"] for entry in entries(path)] == ["first"]
    write(path + ".new", "[{\"targets\"")
    again = Announced(path, "--board", "second", "--listen", killed.address)
    assert [entry["labels"]["board"] for entry in entries(path)] == ["second"], entries(path)
    assert again.stop()[0] == 0 and entries(path) == []


def tells_the_build(folder):
    path = os.path.join(folder, "boards.json")
    target = subprocess.Popen([EXAMPLE_HOST, "--rounds", "5"], stdout=subprocess.PIPE, text=True)
    try:
        daemon = Announced(path, "--elf", EXAMPLE_HOST, port=target.stdout.readline().strip())
        deadline, wanted, told = time.monotonic() + PATIENCE, None, None
        while time.monotonic() < deadline and (wanted is None or told != wanted):
            with urllib.request.urlopen(f"http://{daemon.address}/metrics", timeout=PATIENCE) as answer:
                rows = [row for row in answer.read().decode().splitlines() if row.startswith("miniprofd_target_info{")]
            wanted = rows[0].split('build_id="')[1].split('"')[0] if rows else None
            told = entries(path)[0]["labels"].get("build_id")
            time.sleep(0.05)
        assert wanted and told == wanted, (told, wanted)
        assert daemon.stop()[0] == 0
    finally:
        target.kill()
        target.wait()


def is_one_sentence(folder):
    """A list that cannot be written, or a file of another form, is left unchanged."""
    cases = {"no/where/boards.json": None, "list.json": "{\"targets\": []}\n", "broken.json": "[{", "entry.json": "[{\"targets\": [1]}]",
             "more.json": "[{\"targets\": [\"a:1\"], \"proxy\": \"b\"}]"}
    for name, text in cases.items():
        path = os.path.join(folder, name)
        if text is not None:
            write(path, text)
        done = subprocess.run([MINIPROFD, "--port", "file:/dev/null", "--listen", "127.0.0.1:0", "--announce", path, "--log-level", "error"], capture_output=True,
                              text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 1 and done.stdout == "" and done.stderr.count("\n") == 1 and name.split("/")[-1] in done.stderr, (name, done)
        if text is not None:
            with open(path, encoding="utf-8") as file:
                assert file.read() == text, name
    for more in (["--no-http"], ["--listen", f"unix:{folder}/socket"]):
        done = subprocess.run([MINIPROFD, "--port", "file:/dev/null", "--announce", os.path.join(folder, "a.json"), *more], capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        assert done.returncode == 2 and "--announce" in done.stderr, done


def ends_though_it_cannot_write(folder):
    path = os.path.join(folder, "gone", "boards.json")
    os.mkdir(os.path.dirname(path))
    daemon = Announced(path)
    for name in os.listdir(os.path.dirname(path)):
        os.unlink(os.path.join(os.path.dirname(path), name))
    os.rmdir(os.path.dirname(path))
    status, said = daemon.stop()
    assert status == 0 and "Cannot announce in" in said, (status, said)


def waits_for_the_lock(folder):
    path = os.path.join(folder, "boards.json")
    with open(path + ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        threading.Timer(0.3, lambda: fcntl.flock(lock, fcntl.LOCK_UN)).start()
        daemon = Announced(path)
    assert len(entries(path)) == 1 and daemon.stop()[0] == 0


def holds_up_no_end(folder):
    """A process that holds the lock cannot prevent a daemon from ending, while it serves or while it starts."""
    path = os.path.join(folder, "boards.json")
    daemon = Announced(path)
    with open(path + ".lock", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        begun = time.monotonic()
        status, said = daemon.stop()
        took = time.monotonic() - begun
        assert status == 0 and "another program keeps" in said and took < 8, (status, said, took)
        process = subprocess.Popen([MINIPROFD, "--port", "file:/dev/null", "--listen", "127.0.0.1:0", "--announce", path, "--log-level", "debug"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while "file:/dev/null" not in process.stderr.readline():
            pass  # its session runs: it waits for the lock now, or soon
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        took = time.monotonic() - begun
        assert process.returncode == 0 and took < 8, (process.returncode, took)
    assert [entry["targets"] for entry in entries(path)] == [[daemon.address]]


def follows_links(folder):
    path, link, elsewhere = os.path.join(folder, "boards.json"), os.path.join(folder, "link.json"), os.path.join(folder, "lab")
    os.mkdir(elsewhere)
    real = os.path.join(elsewhere, "real.json")
    write(real, FOREIGN)
    os.symlink(real, link)
    os.symlink("link.json", path)
    daemon = Announced(path)
    assert os.path.islink(path) and os.path.islink(link) and len(entries(real)) == 3, entries(real)
    assert daemon.stop()[0] == 0 and entries(real) == FOREIGN and os.path.islink(path)
    assert os.path.exists(real + ".lock") and not os.path.exists(path + ".lock")
    os.unlink(real)
    done = subprocess.run([MINIPROFD, "--port", "file:/dev/null", "--listen", "127.0.0.1:0", "--announce", path], capture_output=True, text=True,
                          timeout=PATIENCE, check=False)
    assert done.returncode == 1 and "link to a file that does not exist" in done.stderr and os.path.islink(path), done


def keeps_mode_and_owner(folder):
    """Mode (also one that the umask would narrow) and, for root, owner of the file are kept. Otherwise it is replaced."""
    path = os.path.join(folder, "boards.json")
    for mode, owner in ((0o640, None), (0o666, None), (0o640, 65534), (0o606, 65534)):
        if owner and os.geteuid() != 0:
            continue
        write(path, FOREIGN)
        os.chmod(path, mode)
        if owner:
            os.chown(path, owner, owner)
        before = os.stat(path)
        daemon = Announced(path)
        assert len(entries(path)) == 3
        assert (os.stat(path).st_ino == before.st_ino) == (mode != 0o640 or owner is not None), (oct(mode), owner)
        assert daemon.stop()[0] == 0 and entries(path) == FOREIGN
        after = os.stat(path)
        assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid), (oct(mode), owner, after)
        os.unlink(path)


def removes_who_was_killed(folder):
    """The next daemon removes entries of killed daemons of this machine; live ones and those of others stay."""
    path = os.path.join(folder, "boards.json")
    write(path, FOREIGN)
    killed, alive = [Announced(path) for _ in range(3)], Announced(path)
    for daemon in killed:
        daemon.stop(signal.SIGKILL)
    there = entries(path)
    assert len(there) == 6, there
    other = json.loads(json.dumps(there[2]))
    other["targets"] = ["elsewhere:1"]
    other["labels"]["__miniprofd_process"] = "1 2 pid:[3] 4 5"  # of another machine
    write(path, there + [other])
    late = Announced(path)
    assert [entry["targets"][0] for entry in entries(path)[2:]] == [alive.address, "elsewhere:1", late.address], entries(path)
    assert alive.stop()[0] == 0 and late.stop()[0] == 0 and entries(path) == FOREIGN + [other]


def is_shared_by_users(folder):
    """Users of the group that owns the folder replace each other's files and share the lock."""
    if os.geteuid() != 0:
        return
    path, group = os.path.join(folder, "boards.json"), 12345
    os.chown(folder, 0, group)
    os.chmod(folder, 0o2775)
    os.chmod(os.path.dirname(folder), os.stat(os.path.dirname(folder)).st_mode | 0o001)
    users = [Announced(path, as_user={"user": user, "group": group, "extra_groups": [], "umask": mask}) for user, mask in ((1001, 0o022), (1002, 0o002))]
    assert {entry["targets"][0] for entry in entries(path)} == {daemon.address for daemon in users}, entries(path)
    ends = [daemon.stop() for daemon in users]
    assert ends == [(0, "")] * 2 and entries(path) == [], (ends, entries(path))


def eight_at_once(folder):
    """A concurrent reader always finds a whole list, and at the end the list is the original one."""
    path, rounds, read = os.path.join(folder, "boards.json"), 3, [0]
    write(path, FOREIGN)
    problems, over = [], threading.Event()

    def reader():
        while not over.is_set():
            try:
                assert entries(path)[:2] == FOREIGN
                read[0] += 1
            except (ValueError, AssertionError) as problem:
                problems.append(repr(problem))
            over.wait(0.002)

    def one(name):
        for _ in range(rounds):
            daemon = Announced(path, "--board", name)
            labels = [entry["labels"]["board"] for entry in entries(path) if daemon.address in entry["targets"]]
            status, said = daemon.stop()
            if labels != [name] or status != 0:
                problems.append((name, labels, status, said))

    watch = threading.Thread(target=reader)
    workers = [threading.Thread(target=one, args=(f"board-{i}",)) for i in range(8)]
    for thread in [watch, *workers]:
        thread.start()
    for thread in workers:
        thread.join()
    over.set()
    watch.join()
    assert not problems and read[0] > 0, (problems[:3], read)
    Announced(path).stop()  # removes an entry left by a daemon that did not get the lock within a second, on a busy machine
    assert entries(path) == FOREIGN, entries(path)


CASES = [comes_and_goes, is_replaced, tells_the_build, is_one_sentence, ends_though_it_cannot_write, waits_for_the_lock, holds_up_no_end, follows_links,
         keeps_mode_and_owner, removes_who_was_killed, is_shared_by_users, eight_at_once]


def main():
    failed = 0
    print(f"1..{len(CASES)}")
    for number, case in enumerate(CASES, 1):
        try:
            with tempfile.TemporaryDirectory(prefix="miniprofd-test-") as folder:
                case(folder)
            print(f"ok {number} - {case.__name__}")
        except Exception as problem:  # one failed case does not hide the others
            failed += 1
            print(f"not ok {number} - {case.__name__}\n# " + repr(problem).replace("\n", "\n# "))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
