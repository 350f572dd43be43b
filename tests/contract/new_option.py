"""new_option.py - adds an option in three files: its member, its row, and the code that uses it. Help, man pages, completion, the environment, the
configuration file and errors follow from the row.

Run by additions.py."""
import json
import os
import subprocess
import sys

from captures_made import syst_messages
from cases import case
from daemon import Daemon


class NewOption:
    """--heartbeat-ms: duration of silence in the stream of updates after which a comment is sent."""
    WHAT = "an option"

    def add(self, tree):
        tree.insert_before("daemon/cli/options.h", "    uint32_t metrics_functions;", "    uint32_t heartbeat_ms; /* 0: the default */\n")
        tree.insert_before("daemon/cli/options.c", '    {"metrics-functions",',
                           '    {"heartbeat-ms", .value = "N", AT(heartbeat_ms), .type = ARGUMENT_NUMBER, .least = 1, .most = 60000,\n'
                           '     .help = "send a comment after N ms without an update (15000)"},\n')
        tree.insert_before("daemon/main.c", "        .metrics_functions = options->metrics_functions,\n",
                           "        .heartbeat_ms = options->heartbeat_ms,\n")

    def look(self, miniprofd, tree):
        self.program, self.folder = miniprofd, tree.folder
        self.words = os.path.join(tree.root, "scripts", "packaging", "words.py")
        self.capture = os.path.join(tree.folder, "option.bin")
        with open(self.capture, "wb") as file:
            file.write(b"".join(syst_messages()))


NEW_OPTION = NewOption()


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **more)


def heartbeat(*options, **more):
    with Daemon(NEW_OPTION.program, "--dialect", "syst", "--port", "file:" + NEW_OPTION.capture, *options, **more) as daemon:
        return next(data for name, data in daemon.events(60) if name == "hello")["heartbeat_ms"]


@case
def the_new_option_is_taken_from_the_command_line_the_environment_and_a_file():
    config = os.path.join(NEW_OPTION.folder, "option.json")
    with open(config, "w", encoding="utf-8") as file:
        json.dump({"heartbeat-ms": 125}, file)
    assert heartbeat() == 15000
    assert heartbeat("--heartbeat-ms", "250") == heartbeat("--heartbeat-ms=250") == 250
    assert heartbeat(env={**os.environ, "MINIPROFD_HEARTBEAT_MS": "500"}) == 500
    assert heartbeat("--config", config) == 125


@case
def wrong_values_and_misspelt_options_get_a_suggestion():
    for value in "0", "60001", "soon", "":
        done = run(NEW_OPTION.program, "--heartbeat-ms", value)
        assert done.returncode == 2 and "--heartbeat-ms takes a number from 1 to 60000" in done.stderr, done
    done = run(NEW_OPTION.program, "--hartbeat-ms", "5")
    assert done.returncode == 2 and "did you mean --heartbeat-ms?" in done.stderr, done


@case
def help_the_man_page_and_completions_have_the_new_option():
    assert "--heartbeat-ms N" in run(NEW_OPTION.program, "--help").stdout
    for kind in "man", "bash", "zsh":
        made = run(sys.executable, NEW_OPTION.words, kind, NEW_OPTION.program)
        assert "heartbeat" in made.stdout, (kind, made)
