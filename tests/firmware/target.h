/* target.h - a firmware that runs as a process, in an emulator or on this machine, and the link to it: for
 * tests that are programs of their own. Whatever goes wrong ends the test with a sentence. */
#ifndef FIRMWARE_TARGET_H
#define FIRMWARE_TARGET_H

#include "protocol/frame_reader.h"
#include "protocol/packet.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { TARGET_SILENCE_MS = 120000, TARGET_SKIPPED = 77 };

struct target {
    int link;
    pid_t process;
    void (*on_bytes)(ssize_t n); /* called with what each read brought; NULL: nothing is */
    struct mp_frame_reader reader;
    uint8_t memory[MP_FRAME_READER_MEMORY(16384)];
    uint8_t input[4096];
};

extern struct target target;

_Noreturn void give_up(const char *what);
void require(bool condition, const char *what);

/* Starts the command, whose standard input and output are the link, of `backlog` bytes at the most that it
 * has sent and we have not read; 0: as usual. */
void target_start(char **command, int backlog);
void target_stop(void);

/* The next packet; waits for it. Ends the test with "skipped" when the command is not installed. */
void target_hear(struct mp_frame *frame);

void target_command(uint8_t code, uint8_t length, const uint8_t *payload);

/* One of five bytes: a key and its value. */
void target_configure(uint8_t key, uint32_t value);

#endif
