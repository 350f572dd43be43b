"""new_command.py - adds a command to the device: a row in the daemon, a code on the wire, the agent's action, and a row of the specification.

Run by additions.py."""
import os
import subprocess

from cases import case
from daemon import Daemon, example


class NewCommand:
    """BLINK, which the agent acknowledges."""
    WHAT = "a command to the device"

    def add(self, tree):
        tree.insert_before("daemon/handoff/device_commands.h", "    QUESTION(STATUS,",
                           '    ORDER(BLINK, 127, MP_BLINK, "blink", "deviceBlink", "Has the device blink.",                               \\\n'
                           '          "  blink                    has it blink\\n")                                                       \\\n')
        tree.insert_before("protocol/packet.h", "    MP_DESCRIBE = 7,\n", "    MP_BLINK = 127, /* far from the next free code */\n")
        tree.insert_before("firmware-ref/mpt.c", "    case MP_RESET_BUFFERS: mpt_reset(); break;\n", "    case MP_BLINK: break;\n")
        tree.insert_before("protocol/SPEC.md", "| 7 | DESCRIBE |", "| 127 | BLINK | ACK | `55 7F 00 00 00 00 00 00 00 00 00 D4` |\n")

    def look(self, miniprofd, tree):
        self.program = miniprofd
        self.example = os.path.join(tree.folder, "build", "firmware-ref", "example-host")


NEW_COMMAND = NewCommand()


def device(*arguments):
    return subprocess.run([NEW_COMMAND.program, "device", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          timeout=120)


@case
def miniprofd_device_and_its_help_have_the_new_command():
    said = device("--help").stdout
    assert "| blink |" in said and "has it blink" in said, said
    assert "blink" in device("--port", "x", "dance").stderr
    with example(NEW_COMMAND.example) as port:
        done = device("--port", port, "blink")
        assert done.returncode == 0, done


@case
def the_new_command_is_a_route_that_is_described():
    with example(NEW_COMMAND.example) as port, Daemon(NEW_COMMAND.program, "--port", port) as daemon:
        daemon.wait_for_link(lambda link: link["packets"] > 0)
        status, _, body = daemon.request("POST", "/api/v1/device/blink", "{}")
        assert status == 200, (status, body)
        assert b'"deviceBlink"' in daemon.get("/api/v1/openapi.json")[2]
