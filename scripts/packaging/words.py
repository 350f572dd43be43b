#!/usr/bin/env python3
"""words.py - makes a man page of each command, and completions for bash and zsh, from the output of `miniprofd help`.

usage: words.py man|bash|zsh MINIPROFD [COMMAND], writes to standard output. Only the program itself describes its options."""
import collections
import re
import subprocess
import sys

TAKES_FILE = re.compile(r"FILE|DIR|PATH|JSON|json")
# These commands pass unknown options to the daemon that they start.
HAND_ON = ("check", "top")
SUMMARIES = {None: "live profiler for microcontrollers over a serial line"}

Option = collections.namedtuple("Option", "name letter value words group help")
Help = collections.namedtuple("Help", "usage about groups examples notes")


class Program:
    """Runs a built miniprofd to read its help."""

    def __init__(self, path):
        self.path = path
        self.text = self.said("--help")
        self.commands = dict(re.findall(r"^  (\w+) +(\S.*)$", self.text.split("\nCommands:\n")[1].split("\n\n")[0], re.M))

    def said(self, *arguments):
        return subprocess.run([self.path, *arguments], capture_output=True, text=True, check=True).stdout

    def options(self, command=None):
        rows = [line.split("\t") for line in self.said("help", "--options", *filter(None, [command])).splitlines()]
        found = [Option(*row) for row in rows]
        assert command or len(found) > 10, "help --options has another form"
        return found

    def with_daemons(self, command):
        """Returns the options of a command and those that it passes to the daemon."""
        own = self.options(command)
        names, letters = {option.name for option in own}, {option.letter for option in own}
        more = [option._replace(letter="" if option.letter in letters else option.letter)
                for option in self.options() if command in HAND_ON and option.name not in names]
        return own + more

    def help(self, command=None):
        """Returns the parts of --help; a group is its heading and [(option and value, help)]."""
        headings = list(dict.fromkeys(option.group for option in self.options(command)))
        usage, *parts = self.said(*filter(None, [command]), "--help").split("\n\n")
        about, groups, examples, notes = [], [], "", []
        for part in parts:
            heading, _, rest = part.partition(":\n")
            if heading in headings:
                groups.append((heading, entries(rest)))
            elif heading == "Examples":
                examples = re.sub(r"^  ", "", rest, flags=re.M)
            else:
                (notes if groups else about).append(part)
        assert [heading for heading, _ in groups] == headings, "--help has another form"
        return Help(usage, "\n\n".join(about), groups, examples, notes)

    def words(self, option):
        """Yields the possible values of an option."""
        for word in option.words.split():
            if word == "@dialects":
                yield from self.listed("dialects")
            elif word == "@formats=":
                yield from (name + "=" for name in self.listed("export formats"))
            elif word != "@ports":
                yield word

    def listed(self, section):
        return re.findall(r"^  (\w+)  ", self.text.split(f"\n{section} (")[1].split("\n\n")[0], re.M)


def entries(lines):
    """Returns [(option and value, help)] of a group's lines."""
    found = []
    for line in lines.splitlines():
        entry = re.match(r"  ((?:-\w, |    )--\S+(?: \S+)?)(?:  +(\S.*))?$", line)
        if entry:
            found.append([entry[1].strip(), entry[2] or ""])
        else:
            found[-1][1] += ("\n" if line.startswith(" " * 33) else " ") + line.strip()
    return [(left, about.strip()) for left, about in found]


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


def bold(left):
    """Formats an option in bold and its value in italics."""
    *names, last = left.split(", ")
    name, _, value = last.partition(" ")
    shown = ", ".join("\\fB" + roff(one) + "\\fR" for one in [*names, name])
    return shown + (f" \\fI{roff(value)}\\fR" if value else "")


def man(program, command):
    version = program.said("--version").strip()
    title = "miniprofd" + (f"-{command}" if command else "")
    told = program.help(command)
    yield f'.TH {title.upper()} 1 "" "{roff(version)}" "User Commands"'
    yield f".SH NAME\n{roff(title)} \\- {roff(SUMMARIES[None] if command is None else program.commands[command])}"
    yield ".SH SYNOPSIS\n.nf\n" + roff(re.sub(r"^(usage:)? *", "", told.usage, flags=re.M)) + "\n.fi"
    yield ".SH DESCRIPTION\n.nf\n" + roff(told.about) + "\n.fi"
    yield ".SH OPTIONS"
    for heading, options in told.groups:
        yield ".SS " + roff(heading)
        for left, about in options:
            yield ".TP\n" + bold(left)
            yield roff(about).replace("\n", "\n.br\n")
    yield ".SH EXAMPLES\n.nf\n" + roff(told.examples) + "\n.fi"
    if told.notes:
        yield ".SH MORE"
    for part in told.notes:
        yield ".nf\n" + roff(part.rstrip()) + "\n.fi\n.PP"
    others = [None, *(name for name in program.commands if name != "help")]
    yield ".SH SEE ALSO\n" + ", ".join("\\fBminiprofd" + (f"\\-{name}" if name else "") + "\\fR(1)" for name in others if name != command)


def spellings(option):
    return ["--" + option.name] + (["-" + option.letter] if option.letter else [])


def bash_values(program, option):
    words = list(program.words(option))
    if "@ports" in option.words.split() or option.name == "port":
        return '{ compgen -G "/dev/tty[AU][CMS]*"; compgen -f -- "$word"; }'
    if words:
        return f"""compgen -W "{' '.join(words)}" -- "$word\""""
    return 'compgen -f -- "$word"' if TAKES_FILE.search(option.value) else ":"


def bash(program, _):
    yield """_miniprofd()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=
    COMPREPLY=()
    [ "$COMP_CWORD" -lt 2 ] || command=${COMP_WORDS[1]}
    case $command in"""
    for command in [*program.commands, "*"]:
        options = program.with_daemons(None if command == "*" else command)
        if command == "help":
            yield f"""    help) mapfile -t COMPREPLY < <(compgen -W "{' '.join(program.commands)}" -- "$word");;"""
            continue
        yield f"    {command})\n        case $before in"
        for option in options:
            if option.value:
                yield f"        {'|'.join(spellings(option))}) mapfile -t COMPREPLY < <({bash_values(program, option)}); return;;"
        names = " ".join("--" + option.name for option in options)
        yield f"""        esac\n        mapfile -t COMPREPLY < <(compgen -W "{names}" -- "$word");;"""
    yield f"""    esac
    [ "$COMP_CWORD" != 1 ] || mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -W "{' '.join(program.commands)}" -- "$word")
}}
complete -o filenames -F _miniprofd miniprofd"""


def zsh_options(program, options):
    for option in options:
        about = re.sub(r"([\[\]:\\])", r"\\\1", option.help).replace("'", "'\\''")
        values = " ".join(program.words(option))
        action = f"({values})" if values else "_files" if TAKES_FILE.search(option.value) or option.name == "port" else ""
        argument = f":{option.value.split(':')[0]}:{action}" if option.value else ""
        for spelling in spellings(option):
            yield f"'*{spelling}[{about}]{argument}'"


def zsh(program, _):
    yield "#compdef miniprofd\ncase $words[2] in"
    for command in program.commands:
        if command != "help":
            listed = " ".join(zsh_options(program, program.with_daemons(command)))
            yield f"  {command}) shift words; (( CURRENT-- )); _arguments {listed};;"
    listed = " \\\n    ".join(zsh_options(program, program.options()))
    yield f"  *) _arguments \\\n    {listed} \\\n    '1::command:({' '.join(program.commands)})';;\nesac"


def main():
    kind, path, *command = sys.argv[1:]
    made = {"man": man, "bash": bash, "zsh": zsh}[kind](Program(path), command[0] if command else None)
    print("\n".join(made))


main()
