#!/usr/bin/env python3
"""words.py - makes of what --help tells a page for man, and what bash and zsh complete.

usage: words.py man|bash|zsh MINIPROFD, on standard output. The options are described in the program alone."""
import re
import subprocess
import sys

ENTRY = re.compile(r"  --(\S+)(?: (\S+))?(?:  +(\S.*))?$")
TAKES_FILE = re.compile(r"FILE|DIR|PATH")


def options(text):
    """[name, value or None, help]"""
    found = []
    for line in text.split("\n\n")[2].splitlines():
        entry = ENTRY.match(line)
        if entry:
            found.append([entry[1], entry[2], entry[3] or ""])
        elif found:
            found[-1][2] += ("\n" if line.startswith(" " * 29) else " ") + line.strip()
    return [(name, value, about.strip()) for name, value, about in found]


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


def man(text, version):
    usage, about, _, *rest = text.split("\n\n")
    yield f'.TH MINIPROFD 1 "" "{roff(version)}" "User Commands"'
    yield ".SH NAME\nminiprofd \\- live profiler for microcontrollers over a serial line"
    yield ".SH SYNOPSIS\n.nf\n" + roff(re.sub(r"^(usage:)? *", "", usage, flags=re.M)) + "\n.fi"
    yield ".SH DESCRIPTION\n" + roff(about)
    yield ".SH OPTIONS"
    for name, value, helped in options(text):
        yield ".TP\n\\fB" + roff("--" + name) + "\\fR" + (f" \\fI{roff(value)}\\fR" if value else "")
        yield roff(helped).replace("\n", "\n.br\n")
    yield ".SH MORE"
    for part in rest:
        yield ".nf\n" + roff(part.rstrip()) + "\n.fi\n.PP"


def bash(text):
    known = options(text)
    files = "|".join("--" + name for name, value, _ in known if value and TAKES_FILE.search(value))
    others = "|".join("--" + name for name, value, _ in known if value and not TAKES_FILE.search(value) and name != "port")
    yield f"""_miniprofd()
{{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    COMPREPLY=()
    case $before in
    {files}) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return;;
    --port) mapfile -t COMPREPLY < <(compgen -G "/dev/tty[AU][CMS]*"; compgen -f -- "$word"); return;;
    {others}) return;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "{' '.join('--' + name for name, _, _ in known)}" -- "$word")
    [ "$COMP_CWORD" != 1 ] || mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -W "device check doctor mcp top" -- "$word")
}}
complete -o filenames -F _miniprofd miniprofd"""


def zsh(text):
    yield "#compdef miniprofd\n_arguments \\"
    for name, value, about in options(text):
        about = re.sub(r"([\[\]:\\])", r"\\\1", about.split("\n")[0]).replace("'", "'\\''")
        action = f":{value.split(':')[0]}:" + ("_files" if TAKES_FILE.search(value) or name == "port" else "") if value else ""
        yield f"  '*--{name}[{about}]{action}' \\"
    yield "  '1::command:(device check doctor mcp top)'"


def main():
    kind, program = sys.argv[1:]

    def said(option):
        return subprocess.run([program, option], capture_output=True, text=True, check=True).stdout

    text = said("--help")
    assert len(options(text)) > 10, "--help has another form"
    lines = {"man": lambda: man(text, said("--version").strip()), "bash": lambda: bash(text), "zsh": lambda: zsh(text)}[kind]()
    print("\n".join(lines))


main()
