/* device_commands.h - the commands to a device, one row each. The routes of the API, the words
 * of `miniprofd device` and its help are made of these rows.
 *
 * ORDER(id, code, wire, word, operation, summary, line): the device answers with ACK or NACK. `wire` is the name in
 * protocol/packet.h, with the same code. `word` is the command's name in `miniprofd device` and in the route
 * /api/v1/device/<word>. `operation` and `summary` are for the OpenAPI document, `line` for --help.
 * QUESTION(id, code, wire, word, operation, summary): the device answers with a packet; has only a route.
 * OWN(id, code, wire): has a payload, and is handled separately.
 *
 * The agent carries out commands in firmware-ref/mpt.c; protocol/SPEC.md defines them. Included by mailbox.h only. */
#ifndef HANDOFF_DEVICE_COMMANDS_H
#define HANDOFF_DEVICE_COMMANDS_H

/* clang-format off */
#define DEVICE_COMMAND_ROWS(ORDER, QUESTION, OWN)                                                            \
    ORDER(START, 1, MP_START, "start", "deviceStart", "Starts profiling on the device.",                     \
          "  start                    starts profiling\n")                                                   \
    ORDER(STOP, 2, MP_STOP, "stop", "deviceStop", "Stops profiling on the device.",                          \
          "  stop                     stops profiling\n")                                                    \
    ORDER(RESET, 4, MP_RESET_BUFFERS, "reset", "deviceReset", "Empties the device's buffers.",               \
          "  reset                    empties its buffer\n")                                                 \
    QUESTION(STATUS, 3, MP_GET_STATUS, "status", "deviceStatus", "Asks the device for its STATUS.")          \
    QUESTION(METADATA, 5, MP_GET_METADATA, "metadata", "deviceMetadata", "Asks the device for its METADATA.")\
    OWN(CONFIG, 6, MP_SET_CONFIG)
/* clang-format on */

/* For tables made of only some kinds of rows. */
#define DEVICE_COMMAND_NONE(...)

#endif
