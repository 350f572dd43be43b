/* command_reader.c - finds commands in what the target receives. */
#include "protocol/command_reader.h"

bool mp_command_reader_push(struct mp_command_reader *reader, uint8_t byte, struct mp_command *command)
{
    for (size_t i = 0; i < MP_COMMAND_SIZE - 1; i++)
        reader->window[i] = reader->window[i + 1];
    reader->window[MP_COMMAND_SIZE - 1] = byte;
    if (!mp_command_decode(command, reader->window))
        return false;
    for (size_t i = 0; i < MP_COMMAND_SIZE; i++)
        reader->window[i] = 0; /* a byte belongs to one command only */
    return true;
}
