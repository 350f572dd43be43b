#!/usr/bin/env python3
"""packaging.py - checks the form of the man page, the completions, the unit and the rules.

usage: packaging.py MINIPROFD WORDS UNIT RULES... Prints TAP; names the programs that are not installed."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

MINIPROFD, WORDS, UNIT, *RULES = sys.argv[1:]


class NotThere(Exception):
    pass


def run(*command, **more):
    if not shutil.which(command[0]):
        raise NotThere(command[0] + " is not installed")
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **more)


COMMANDS = ("check", "device", "doctor", "mcp", "top")


def words(kind, *command):
    return run(sys.executable, WORDS, kind, MINIPROFD, *command).stdout


def options(*command):
    return [line.split("\t")[0] for line in run(MINIPROFD, "help", "--options", *command).stdout.splitlines()]


def man_has_a_page_for_each_command_with_every_option_and_no_complaint():
    for command in [], *([name] for name in COMMANDS):
        page = words("man", *command)
        for option in options(*command):
            assert "\\fB\\-\\-" + option.replace("-", "\\-") + "\\fR" in page, option
        with tempfile.NamedTemporaryFile("w", suffix=".1") as file:
            file.write(page)
            file.flush()
            done = run("man", "--warnings", "-l", file.name, env={**os.environ, "MANWIDTH": "120", "LC_ALL": "C.UTF-8"})
        assert done.returncode == 0 and not done.stderr, done.stderr
        title = "-".join(["miniprofd", *command])
        for part in f"{title} - ", "EXAMPLES\n       miniprofd", "SEE ALSO", "exit status: ":
            assert part in done.stdout, (part, done.stdout)


def completed(script, *line):
    """Completions of bash for the last word of the line."""
    typed = " ".join(f"'{word}'" for word in line)
    done = run("bash", "-c", script + f'\nCOMP_WORDS=({typed}); COMP_CWORD={len(line) - 1}; _miniprofd; printf "%s\\n" "${{COMPREPLY[@]}}"')
    assert not done.stderr, done.stderr
    return done.stdout.split("\n")[:-1]


def bash_completes_options_values_and_commands():
    script = words("bash")
    assert run("bash", "-n", input=script).returncode == 0
    assert completed(script, "miniprofd", "--") == ["--" + option for option in options()]
    assert completed(script, "miniprofd", "d") == ["device", "doctor"]
    assert completed(script, "miniprofd", "help", "m") == ["mcp"]
    assert completed(script, "miniprofd", "--baud", "11") == ["115200"]
    assert completed(script, "miniprofd", "--mode", "") == ["auto", "stream", "tree", "calls"]
    assert completed(script, "miniprofd", "--dialect", "sy") == ["syst"]
    assert completed(script, "miniprofd", "--export", "j") == completed(script, "miniprofd", "-o", "j") == ["json="]
    assert completed(script, "miniprofd", "--duration", "") == [""]  # nothing
    assert completed(script, "miniprofd", "check", "--metric", "p") == ["p50", "p90", "p99"]
    assert completed(script, "miniprofd", "check", "--mode", "t") == ["tree"]  # an option that check passes on
    assert completed(script, "miniprofd", "device", "--d") == ["--dtr"]
    assert set(completed(script, "miniprofd", "top", "--")) == {"--" + option for option in options("top") + options()}
    with tempfile.TemporaryDirectory() as folder:
        open(folder + "/fw.elf", "wb").close()
        assert completed(script, "miniprofd", "doctor", "-e", folder + "/f") == [folder + "/fw.elf"]


def zsh_is_told_every_option():
    script = words("zsh")
    for option in options():
        assert f"'*--{option}[" in script, option
    for command in COMMANDS:
        listed = re.search(rf"^  {command}\) .*$", script, re.M)[0]
        assert all(f"'*--{option}[" in listed for option in options(command)), command
    if shutil.which("zsh"):
        done = run("zsh", "-n", input=script)
        assert done.returncode == 0, done.stderr


def unit_in(folder):
    path = folder + "/miniprofd@ttyACM0.service"
    with open(UNIT, encoding="utf-8") as unit, open(path, "w", encoding="utf-8") as copy:
        copy.write(re.sub(r"ExecStart=\S+", "ExecStart=" + os.path.abspath(MINIPROFD), unit.read()))
    return path


def systemd_has_no_complaint():
    with tempfile.TemporaryDirectory() as folder:
        done = run("systemd-analyze", "verify", "--man=no", unit_in(folder))
    ours = [line for line in done.stderr.split("\n") if "miniprofd" in line]
    assert not ours, ours


def the_unit_exposes_little():
    """Expects at most 2.0 on systemd's scale, where 10 is a service without restrictions."""
    with tempfile.TemporaryDirectory() as folder:
        done = run("systemd-analyze", "security", "--offline=true", "--no-pager", unit_in(folder))
    found = re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout)
    if not found and "unrecognized option" in done.stderr:
        raise NotThere("systemd-analyze security --offline is not there")
    assert found and float(found[1]) <= 2.0, done.stdout[-3000:] + done.stderr


def two_boards_have_a_port_and_folders_each():
    """Runs the unit's command lines without systemd for two boards."""
    with open(UNIT, encoding="utf-8") as file:
        unit = dict(line.split("=", 1) for line in file.read().splitlines() if "=" in line and line[0] != "#")
    assert all("%i" in unit[key] for key in ("StateDirectory", "WorkingDirectory", "RuntimeDirectory")), unit
    daemons, addresses = [], set()
    with tempfile.TemporaryDirectory() as folder:
        try:
            for board in "ttyACM0", "ttyACM1":
                place = f"{folder}/miniprofd/{board}"
                os.makedirs(place)
                before = shlex.split(unit["ExecStartPre"].replace("$$", "$"))
                subprocess.run(before, check=True, env={**os.environ, "RUNTIME_DIRECTORY": place}, preexec_fn=lambda: os.umask(0o077))
                line = [word.replace("%t", folder).replace("%i", board).replace("/dev/%I", "file:/dev/null") for word in unit["ExecStart"].split()]
                assert line[-1] == "$MINIPROFD_OPTIONS", line
                daemons.append(subprocess.Popen([MINIPROFD, *line[1:-1]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, umask=0o077))
                address = daemons[-1].stdout.readline().removeprefix("listening on http://").strip("/\n")
                with open(place + "/targets.json", encoding="utf-8") as file:
                    assert [entry["targets"] for entry in json.load(file)] == [[address]], address
                assert os.stat(place + "/targets.json").st_mode & 0o777 == 0o644
                addresses.add(address)
        finally:
            for daemon in daemons:
                daemon.terminate()
                daemon.communicate()
    assert len(addresses) == 2, addresses


def rules_of(path):
    """Returns a list of rules, each a list of (key, operator, value)."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file.read().split("\n") if line and line[0] != "#"]
    rules = [[re.fullmatch(r'([A-Z]+(?:\{\w+\})?)(==|!=|\+=|=)"([^"]*)"', term) for term in line.split(", ")] for line in lines]
    assert rules and all(term for rule in rules for term in rule), lines
    return [[term.groups() for term in rule] for rule in rules]


def apply_rules(device):
    """Properties of a device after all our udev rules, with TAG and SUBSYSTEM among them."""
    device = {"TAG": "", **device}
    for rule in (rule for path in RULES for rule in rules_of(path)):
        conditions = [(k.removeprefix("ENV{").rstrip("}"), o, v) for k, o, v in rule if o in ("==", "!=")]
        if all((device.get(k, "") in v.split("|")) == (o == "==") for k, o, v in conditions):
            for k, o, v in rule:
                name = k.removeprefix("ENV{").rstrip("}")
                if o == "+=":
                    device[name] = f"{device.get(name, '')} {v}".strip()
                elif o == "=":
                    device[name] = v
    return device


def rules_leave_strangers_alone_and_keep_others_from_marked_boards():
    assert [os.path.basename(path)[:2] for path in RULES] == ["70", "95"], "before the rules that give seats access, and behind brltty's 85 and 90"
    tty = {"SUBSYSTEM": "tty", "ID_BUS": "usb"}
    known, unknown, marked = ({**tty, **more} for more in ({"ID_VENDOR_ID": "0483"}, {"ID_VENDOR_ID": "12d1"}, {"ID_VENDOR_ID": "12d1", "MINIPROFD": "1"}))
    assert apply_rules(known) == {**known, "TAG": "uaccess"}
    assert apply_rules(unknown) == {**unknown, "TAG": ""}, "a modem"
    assert apply_rules({**known, "ID_BUS": "pci"})["TAG"] == ""
    made = apply_rules(marked)
    assert made["TAG"].split() == ["uaccess", "systemd"] and made["SYSTEMD_WANTS"] == "miniprofd@$name.service", made
    assert made["ID_MM_DEVICE_IGNORE"] == made["ID_MM_PORT_IGNORE"] == "1", made
    braille = {"SUBSYSTEM": "usb", "BRLTTY_BRAILLE_DRIVER": "bm", "SYSTEMD_WANTS": "brltty.path"}
    assert apply_rules(braille) == {**braille, "TAG": ""}
    made = apply_rules({**braille, "MINIPROFD": "1"})
    assert made["BRLTTY_BRAILLE_DRIVER"] == made["SYSTEMD_WANTS"] == "" and made["ID_MM_DEVICE_IGNORE"] == "1", made


CASES = [man_has_a_page_for_each_command_with_every_option_and_no_complaint, bash_completes_options_values_and_commands, zsh_is_told_every_option, systemd_has_no_complaint,
         the_unit_exposes_little, two_boards_have_a_port_and_folders_each, rules_leave_strangers_alone_and_keep_others_from_marked_boards]
print(f"1..{len(CASES)}")
FAILED = 0
for number, case in enumerate(CASES, 1):
    try:
        case()
        print("ok", number, "-", case.__name__)
    except NotThere as missing:
        print("ok", number, "-", case.__name__, "# SKIP", missing)
    except (AssertionError, ValueError, OSError, subprocess.SubprocessError) as problem:
        FAILED += 1
        print("not ok", number, "-", case.__name__)
        print("#", str(problem).replace("\n", "\n# "))
sys.exit(FAILED > 0)
