/* restart_watch.h - notices that the device started again, which it need not say.
 *
 * A restart shows in one of three ways: METADATA that nobody asked for, a count of captured records that
 * fell, or another number of its start in its DESCRIPTION. Silence is none. */
#ifndef DEVICE_RESTART_WATCH_H
#define DEVICE_RESTART_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/* Zero is the start state. */
struct restart_watch {
    bool heard;                 /* something came since the last METADATA */
    unsigned metadata_expected; /* METADATA packets that answer us, however late, and are not a restart's */
    bool has_captured;          /* `captured` is the count of the last STATUS */
    bool captured_drops;        /* ... and may fall without a restart, since we asked for that */
    uint32_t captured;
    uint32_t boot;         /* the number of its start; 0: not known */
    uint64_t boot_ms;      /* when that proved a restart; 0: never */
    bool boot_is_unsteady; /* it changes while the device runs, so it proves nothing */
    bool unsure; /* it was out of sight: only the next STATUS will tell whether it restarted meanwhile */
};

/* The line to the device is a new one: what was asked on the old one is not answered any more. */
void restart_watch_connect(struct restart_watch *watch);

/* Nothing comes from the device for a while; it may restart unnoticed. */
void restart_watch_lose_sight(struct restart_watch *watch);

/* It is known from elsewhere that the device has restarted. */
void restart_watch_begin_anew(struct restart_watch *watch);

/* A command is sent. A device that was busy answers each METADATA that it was asked for when it goes on, long
 * after we gave that up: an answer proves no restart. One that restarted meanwhile is found out by STATUS. */
void restart_watch_send(struct restart_watch *watch, uint8_t code);

/* METADATA came, or a STATUS with that count of captured records. True: the device has restarted before it
 * shown that, and is watched again from there. */
bool restart_watch_metadata(struct restart_watch *watch);
bool restart_watch_status(struct restart_watch *watch, uint32_t captured);

/* Its DESCRIPTION came, with that number of its start (0: not known). True: the device has restarted since
 * the DESCRIPTION before, and is watched again from there. One that tells another number within 2 s, or while
 * what it says `contradicts` a restart, is not believed any more until the line is a new one. */
bool restart_watch_boot(struct restart_watch *watch, uint32_t boot, bool contradicts, uint64_t now_ms);

/* Anything else came that only a running device sends. */
static inline void restart_watch_hear(struct restart_watch *watch)
{
    watch->heard = true;
}

#endif
