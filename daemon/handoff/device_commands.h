/* device_commands.h - the commands that a device can be given, one row each. The routes of the API, the words
 * of `miniprofd device` and its help are made of these rows.
 *
 * ORDER(id, code, wire, word, operation, summary, line): the device answers with ACK or NACK. `wire` is its
 * name in protocol/packet.h, which has the same code; `word` is what `miniprofd device` and the route
 * /api/v1/device/<word> call it; `operation` and `summary` stand in the OpenAPI document, `line` in --help.
 * QUESTION(id, code, wire, word, operation, summary): the device answers with a packet; a route only.
 * OWN(id, code, wire): has a payload, and code of its own for it.
 *
 * The agent carries a command out in firmware-ref/mpt.c, and protocol/SPEC.md says what it means. Included by
 * mailbox.h only. */
#ifndef HANDOFF_DEVICE_COMMANDS_H
#define HANDOFF_DEVICE_COMMANDS_H

/* clang-format off */
#define DEVICE_COMMAND_ROWS(ORDER, QUESTION, OWN)                                                            \
    ORDER(START, 1, MP_START, "start", "deviceStart", "Has the device profile.",                        \
          "  start                    has it profile\n")                                                     \
    ORDER(STOP, 2, MP_STOP, "stop", "deviceStop", "Has the device stop profiling.",                     \
          "  stop                     has it stop profiling\n")                                              \
    ORDER(RESET, 4, MP_RESET_BUFFERS, "reset", "deviceReset", "Has the device empty its buffers.",      \
          "  reset                    empties its buffer\n")                                                 \
    QUESTION(STATUS, 3, MP_GET_STATUS, "status", "deviceStatus", "Asks the device how its buffers are.")     \
    QUESTION(METADATA, 5, MP_GET_METADATA, "metadata", "deviceMetadata", "Asks the device who it is.")       \
    OWN(CONFIG, 6, MP_SET_CONFIG)
/* clang-format on */

/* For what is made of some kinds of rows only. */
#define DEVICE_COMMAND_NONE(...)

#endif
