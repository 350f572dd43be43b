/* fake.h - a made-up device at the other end of a line: a thread that answers commands as a device does, and
 * in the ways in which one should not. All calls are for the test's thread. */
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
    pthread_mutex_t lock; /* for all below but what never changes */
    pthread_cond_t changed;
    struct wake wake;
    bool stop;

    char path[108], spec[128]; /* of a Unix socket, and that as a source; they never change */
    int listener;              /* -1: it is not there */
    int line;                  /* -1: nobody is connected */
    uint8_t partial[MP_COMMAND_SIZE];
    size_t partial_n;

    unsigned last_rounds;   /* that it sends some time after its answer to STOP, before it closes the line; to
                               be set before the session begins */
    bool tells_run;         /* it says which start (`boot`) and run it is: so it knows the closing packet */
    uint32_t boot;          /* likewise */
    unsigned rounds_at_end; /* that it sends after its answer to a STOP that asks for a closing packet, and
                               that packet; 0: it knows none */
    bool ignores_start;     /* and counts it; to be set before the session begins */
    unsigned rounds_before; /* of the run under way, that it sends before it describes itself once */
    bool deaf;              /* commands are counted and forgotten */
    bool sends_when_deaf;   /* a round at each; to be set before the session begins */
    bool refuses;           /* NACK where ACK would be */
    uint8_t versions;   /* that it offers when it is asked to describe itself; 0: it knows not how, NACK */
    uint32_t setting;   /* the value of its one setting, "shortest", 0 to 1000 us, key 2 */
    bool keeps_windows; /* and has the settings for that, which follow: function, ticks, after, window */
    uint32_t windows[4];
    uint8_t version; /* that START asked for last; 1 without */
    uint8_t run; /* with `tells_run`: how often it was started, or what is set before the session begins */
    uint32_t captured; /* records sent since it started */
    bool profiling;
    uint32_t build_id;
    unsigned heard[8]; /* commands, by code */
};

/* It listens at `path` when `plugged_in`. */
void fake_init(struct fake *fake, const char *path, bool plugged_in);
void fake_fini(struct fake *fake);

void fake_set_deaf(struct fake *fake, bool deaf);
void fake_set_refuses(struct fake *fake, bool refuses);
/* It describes itself, and offers these versions (bit v for version v); 0: not any more. */
void fake_set_versions(struct fake *fake, uint8_t versions);

/* It has the settings of windows. */
void fake_keep_windows(struct fake *fake);

/* Waits until these settings have the values; fails the test when that takes too long. */
void fake_await_windows(struct fake *fake, uint32_t function, uint32_t ticks, uint32_t window);

/* The version that START asked for last, 1 without; and the value of its one setting. */
uint8_t fake_version(struct fake *fake);
uint32_t fake_setting(struct fake *fake);

void fake_set_build_id(struct fake *fake, uint32_t id);

/* Waits until it has received `code` `times` times in all; fails the test when that takes too long. */
void fake_await(struct fake *fake, enum mp_command_code code, unsigned times);
unsigned fake_heard(struct fake *fake, enum mp_command_code code);

/* What sends waits for somebody to be connected first.
 *
 * Sends `rounds` times a caller (0x1000, 10 ticks) with one callee (0x2000, 4 ticks), the first at `ticks`,
 * each 100 ticks after the one before. */
void fake_send_rounds(struct fake *fake, unsigned rounds, uint32_t ticks);
void fake_send(struct fake *fake, const void *bytes, size_t n);

/* It loses its memory, and says METADATA unasked, or keeps quiet about it. */
void fake_restart(struct fake *fake, bool says_so);

/* It loses its memory while nobody is connected. */
void fake_restart_away(struct fake *fake);

/* The line goes away, and with it the device that would answer there; and is back. */
void fake_unplug(struct fake *fake);
void fake_plug_in(struct fake *fake);

#endif
