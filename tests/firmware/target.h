/* target.h - runs a firmware as a process, in an emulator or on this machine, and connects to it, for tests that are
 * separate programs. Every error ends the test with a sentence. */
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
    void (*on_bytes)(ssize_t n); /* called with the number of bytes of each read; may be NULL */
    struct mp_frame_reader reader;
    uint8_t memory[MP_FRAME_READER_MEMORY(16384)];
    uint8_t input[4096];
};

extern struct target target;

_Noreturn void give_up(const char *what);
void require(bool condition, const char *what);

/* Starts the command, whose standard input and output are the link. `backlog` is the most bytes sent and not yet
 * read; 0 for the system's default. */
void target_start(char **command, int backlog);
void target_stop(void);

/* Waits for the next packet. Ends the test with "skipped" when the command is not installed. */
void target_hear(struct mp_frame *frame);

void target_command(uint8_t code, uint8_t length, const uint8_t *payload);

/* Sends SET_CONFIG with a key and a value. */
void target_configure(uint8_t key, uint32_t value);

#endif
