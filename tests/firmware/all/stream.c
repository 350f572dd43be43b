/* stream.c - writes all bytes of the agent to standard output: the same calls in each version of PROFILE_DATA, in
 * two tasks and an interrupt, with a ring that is full at times, a window and a description. */
#include ALL_AGENT /* "mpt_all.h", or "mpt.h" */
#include "protocol/packet.h"

#include <stdio.h>

uint32_t board_ticks, board_stack = 0x20008000u, board_exception;

void __cyg_profile_func_enter(void *this_fn, void *call_site);
void __cyg_profile_func_exit(void *this_fn, void *call_site);

static uint8_t received[64 * MP_COMMAND_SIZE];
static size_t n_received, n_read;
static size_t room; /* of the line, until the next round */

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    size_t taken = n < room ? n : room;

    room -= taken;
    return fwrite(bytes, 1, taken, stdout);
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    size_t got = 0;

    while (got < n && n_read < n_received)
        bytes[got++] = received[n_read++];
    return got;
}

static void command(struct mp_command command)
{
    mp_command_encode(&command, received + n_received);
    n_received += MP_COMMAND_SIZE;
}

static void config(uint8_t key, uint32_t value)
{
    command((struct mp_command){.code = MP_SET_CONFIG,
                                .length = 5,
                                .payload = {key, (uint8_t)value, (uint8_t)(value >> 8),
                                            (uint8_t)(value >> 16), (uint8_t)(value >> 24)}});
}

/* A tree of calls, a little different in each round. */
static void call(uint32_t function, uint32_t depth, uint32_t round)
{
    void *address = (void *)(uintptr_t)(0x8000000u + 16 * function);

    board_stack -= 32;
    __cyg_profile_func_enter(address, NULL);
    for (uint32_t i = 0; depth && i < 2 + (round + function) % 3; i++)
        call(2 * function + i, depth - 1, round);
    __cyg_profile_func_exit(address, NULL);
    board_stack += 32;
}

static void interrupt(uint32_t round)
{
    board_exception = 15 + round % 2;
    call(900 + round % 2, 1, round);
    board_exception = 0;
}

static void rounds(uint32_t n, size_t bytes)
{
    for (uint32_t i = 0; i < n; i++) {
        room = bytes;
        mpt_context_switch((uint8_t)(i % 2));
        call(1 + i % 2, 3, i);
        interrupt(i);
        board_ticks += 5000;
        while (mpt_poll() && room) {
        }
    }
}

int main(void)
{
    static const struct mpt_target target = {
        .clock_hz = 1000000, .fw_version = "all", .text = "of the text", .text_bytes = 11};
    static const uint8_t versions[][2] = {{1, 0}, {2, 0}, {3, 0}, {3, 1}};

    mpt_init(&target);
    mpt_context_name(0, "first");
    mpt_context_name(1, "second");
    command((struct mp_command){.code = MP_DESCRIBE});
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        command(
            (struct mp_command){.code = MP_START, .length = 2, .payload = {versions[i][0], versions[i][1]}});
        rounds(20, 4000);
        rounds(10, 40); /* less than comes */
        config(MPT_CONFIG_WINDOW_FUNCTION, 0x8000000u + 16 * 2);
        config(MPT_CONFIG_WINDOW_TICKS, 1);
        config(MPT_CONFIG_WINDOW, 1);
        rounds(40, 4000);
        command((struct mp_command){.code = MP_GET_STATUS});
        command((struct mp_command){.code = MP_STOP});
        rounds(10, 4000);
    }
    return 0;
}
