#!/usr/bin/env python3
"""ways_in.py - access for one user of a machine with several: a generated token, a Unix socket.

usage: ways_in.py MINIPROFD. Prints TAP."""
import base64
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402

MINIPROFD = os.path.abspath(sys.argv[1])


class Program:
    """A miniprofd that waits for a port that never appears, and the first lines that it prints."""

    def __init__(self, folder, *arguments, lines, **environment):
        none = "unix:" + os.path.join(folder, "none")
        self.process = subprocess.Popen([MINIPROFD, "--port", none, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env={**os.environ, **environment}, umask=0)
        self.lines = [self.process.stdout.readline().rstrip("\n") for _ in range(lines)]

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.process.send_signal(signal.SIGTERM)
        errors = self.process.communicate(timeout=120)[1]
        assert kind or self.process.returncode == 0, errors


def refusal(folder, *arguments, **environment):
    result = subprocess.run([MINIPROFD, "--port", "unix:" + os.path.join(folder, "none"), *arguments], capture_output=True, text=True,
                            timeout=120, check=False, env={**os.environ, **environment})
    assert result.returncode == 1, (result.returncode, result.stderr)
    return result.stderr.splitlines()[-1]


def ask(connection, path, *headers):
    """Returns (status, body) of a GET over a connected socket, and closes it."""
    with connection:
        connection.sendall("\r\n".join((f"GET {path} HTTP/1.1", "Host: localhost", "Connection: close", *headers, "", "")).encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = answer.decode().partition("\r\n\r\n")
    return int(head.split()[1]), body


def unix_socket(path):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    return connection


def mode(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


@case
def a_generated_token_is_in_the_link_and_a_private_file():
    with tempfile.TemporaryDirectory() as folder:
        places = {"XDG_RUNTIME_DIR": os.path.join(folder, "run"), "HOME": os.path.join(folder, "home")}
        for place in places.values():
            os.mkdir(place, 0o700)
        for unset, private in ({}, "run/miniprofd"), ({"XDG_RUNTIME_DIR": ""}, "home/.cache/miniprofd"):
            private = os.path.join(folder, private)
            with Program(folder, "--listen", "127.0.0.1:0", "--token-file", "auto", lines=2, **{**places, **unset}) as program:
                assert program.lines[0].startswith("listening on http://127.0.0.1:"), program.lines
                link = urllib.parse.urlsplit(program.lines[1].removeprefix("open "))
                assert link.username == "miniprofd" and re.fullmatch("[0-9a-f]{32}", link.password), program.lines
                files = os.listdir(private)
                assert mode(private) == 0o700 and len(files) == 1 and mode(os.path.join(private, files[0])) == 0o600
                with open(os.path.join(private, files[0])) as file:
                    assert file.read() == link.password + "\n"

                def get(path, *headers, at=("127.0.0.1", link.port)):
                    return ask(socket.create_connection(at), path, *headers)
                assert get("/api/v1/status")[0] == get(link.path)[0] == 401
                basic = "Authorization: Basic " + base64.b64encode(f"miniprofd:{link.password}".encode()).decode()
                assert get("/api/v1/status", basic)[0] == 200
                status, page = get(link.path, basic)
                assert status == 200 and "url=http://localhost/" in page and link.password not in page, page
                assert get("/api/v1/status", "Authorization: Bearer " + link.password)[0] == 200
            assert os.listdir(private) == [], "the token is worth nothing any more"


@case
def without_a_private_folder_there_is_no_token():
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "miniprofd"))
        os.chmod(os.path.join(folder, "miniprofd"), 0o755)
        said = refusal(folder, "--token-file", "auto", XDG_RUNTIME_DIR=folder, HOME="")
        assert "XDG_RUNTIME_DIR" in said and "--token-file" in said, said


@case
def a_unix_socket_is_private_and_removed_at_the_end():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page")
        with Program(folder, "--listen", "unix:" + path, lines=3) as program:
            assert program.lines[0] == "listening on unix:" + path
            assert "curl --unix-socket " + path in program.lines[1] and f"ssh -L 7777:{path} " in program.lines[2], program.lines
            assert stat.S_ISSOCK(os.lstat(path).st_mode) and mode(path) == 0o600
            assert ask(unix_socket(path), "/api/v1/status")[0] == 200
            assert path in refusal(folder, "--listen", "unix:" + path), "one that is listened on is not taken"
            assert ask(unix_socket(path), "/api/v1/status")[0] == 200
        assert not os.path.lexists(path)


@case
def only_a_stale_socket_is_replaced():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page")
        killed = Program(folder, "--listen", "unix:" + path, lines=1)
        killed.process.kill()
        killed.process.communicate()
        assert os.path.lexists(path)
        with Program(folder, "--listen", "unix:" + path, lines=1):
            assert ask(unix_socket(path), "/healthz")[0] == 200
            os.rename(path, path + ".moved")
            with open(path, "w") as file:
                file.write("precious")
        with open(path) as file:
            assert file.read() == "precious", "what took the name meanwhile stays"
        assert path in refusal(folder, "--listen", "unix:" + path)
        with open(path) as file:
            assert file.read() == "precious"
        assert "107 bytes" in refusal(folder, "--listen", "unix:" + "x" * 108)
        assert "/no/such/folder" in refusal(folder, "--listen", "unix:/no/such/folder/page")


if __name__ == "__main__":
    sys.exit(run_cases())
