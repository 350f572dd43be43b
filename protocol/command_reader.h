/* command_reader.h - finds commands in what the target receives, damaged or not. */
#ifndef PROTOCOL_COMMAND_READER_H
#define PROTOCOL_COMMAND_READER_H

#include "protocol/packet.h"

/* The last twelve bytes. Zero is the start state. */
struct mp_command_reader {
    uint8_t window[MP_COMMAND_SIZE];
};

/* Takes one byte. Returns true when it was the last of a valid command, which is then in *command. The window
 * slides over every position, so noise and cut commands damage no other command. */
bool mp_command_reader_push(struct mp_command_reader *reader, uint8_t byte, struct mp_command *command);

#endif
