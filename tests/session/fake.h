/* fake.h - a fake device at the other end of a line: a thread that answers commands as a device does, or wrongly on
 * request. All functions are for the test's thread. */
#ifndef SESSION_FAKE_H
#define SESSION_FAKE_H

#include "base/wake.h"
#include "protocol/packet.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fake {
    pthread_t thread;
    pthread_mutex_t lock; /* for all members below except constant ones */
    pthread_cond_t changed;
    struct wake wake;
    bool stop;

    char path[108], spec[128]; /* of a Unix socket, and the source of it; constant */
    int listener;              /* -1 while unplugged */
    int line;                  /* -1 while no session is connected */
    uint8_t partial[MP_COMMAND_SIZE];
    size_t partial_n;

    unsigned last_rounds; /* rounds sent some time after its answer to STOP, before it closes the line; to
                               be set before the session begins */
    bool tells_run;       /* it reports the numbers of start (`boot`) and run, and so has a closing packet */
    uint32_t boot;        /* likewise */
    unsigned rounds_at_end; /* rounds sent after its answer to a STOP that asks for a closing packet, and
                               that packet; 0 when it has none */
    bool ignores_start;     /* it only counts START; to be set before the session begins */
    unsigned rounds_before; /* of the current run, sent before its first description */
    bool deaf;              /* commands are counted and not answered */
    bool sends_when_deaf;   /* a round for each command; to be set before the session begins */
    bool refuses;           /* sends NACK instead of ACK */
    uint8_t versions;       /* offered in its description; 0 when it answers DESCRIBE with NACK */
    uint32_t setting;       /* the value of its one setting, "shortest", 0 to 1000 us, key 2 */
    bool keeps_windows; /* it has the settings of windows, in this order: function, ticks, after, window */
    uint32_t windows[4];
    uint8_t version; /* requested by the last START; 1 by default */
    uint8_t run;     /* with `tells_run`, the number of starts, or the value set before the session begins */
    uint32_t captured; /* records sent since it started */
    bool profiling;
    uint32_t build_id;
    unsigned heard[8]; /* received commands, by code */
};

/* Begins to listen at `path` if `plugged_in`. */
void fake_init(struct fake *fake, const char *path, bool plugged_in);
void fake_fini(struct fake *fake);

void fake_set_deaf(struct fake *fake, bool deaf);
void fake_set_refuses(struct fake *fake, bool refuses);
/* Lets it describe itself and offer these versions (bit v for version v); 0 ends that. */
void fake_set_versions(struct fake *fake, uint8_t versions);

/* Adds the settings of windows. */
void fake_keep_windows(struct fake *fake);

/* Waits until these settings have the values; fails the test when that takes too long. */
void fake_await_windows(struct fake *fake, uint32_t function, uint32_t ticks, uint32_t window);

/* The version that the last START asked for, 1 by default; and the value of its only setting. */
uint8_t fake_version(struct fake *fake);
uint32_t fake_setting(struct fake *fake);

void fake_set_build_id(struct fake *fake, uint32_t id);

/* Waits until it has received `code` `times` times in all; fails the test when that takes too long. */
void fake_await(struct fake *fake, enum mp_command_code code, unsigned times);
unsigned fake_heard(struct fake *fake, enum mp_command_code code);

/* Functions that send wait for a connection first.
 *
 * Sends `rounds` times a caller (0x1000, 10 ticks) with one callee (0x2000, 4 ticks), the first at `ticks`,
 * each 100 ticks after the one before. */
void fake_send_rounds(struct fake *fake, unsigned rounds, uint32_t ticks);
void fake_send(struct fake *fake, const void *bytes, size_t n);

/* Restarts it: it loses its memory, and sends METADATA unasked if `says_so`. */
void fake_restart(struct fake *fake, bool says_so);

/* Restarts it while no session is connected. */
void fake_restart_away(struct fake *fake);

/* The line goes away, and with it the device that would answer there; and is back. */
void fake_unplug(struct fake *fake);
void fake_plug_in(struct fake *fake);

#endif
