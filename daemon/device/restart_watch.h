/* restart_watch.h - detects restarts of the device, which may not report them.
 *
 * A restart shows in one of three ways: METADATA that was not requested, a decreased count of captured
 * records, or another number of its start in its DESCRIPTION. Silence is not a sign. */
#ifndef DEVICE_RESTART_WATCH_H
#define DEVICE_RESTART_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/* All zero is the initial state. */
struct restart_watch {
    bool heard;                 /* something arrived since the last METADATA */
    unsigned metadata_expected; /* outstanding answers to our requests, which are not a sign of a restart */
    bool has_captured;          /* `captured` is the count in the last STATUS */
    bool captured_drops;        /* ... and may decrease without a restart, because of our command */
    uint32_t captured;
    uint32_t boot;         /* number of its start; 0 when unknown */
    uint64_t boot_ms;      /* when it last proved a restart; 0: never */
    bool boot_is_unsteady; /* it changes while the device runs, so it proves nothing */
    bool is_unsure; /* it was out of sight: only the next STATUS will tell whether it restarted meanwhile */
};

/* The line to the device was connected again: requests on the old one will not be answered. */
void restart_watch_connect(struct restart_watch *watch);

/* Nothing arrives from the device for a while, and it may restart unnoticed. */
void restart_watch_lose_sight(struct restart_watch *watch);

/* The device is known to have restarted, from another source. */
void restart_watch_begin_anew(struct restart_watch *watch);

/* A command is sent. A device that was busy may answer each request for METADATA much later, so an answer
 * proves no restart. STATUS shows whether it restarted meanwhile. */
void restart_watch_send(struct restart_watch *watch, uint8_t code);

/* METADATA arrived, or a STATUS with that count of captured records. Returns true if the device has restarted
 * before; the watch begins again. */
bool restart_watch_metadata(struct restart_watch *watch);
bool restart_watch_status(struct restart_watch *watch, uint32_t captured);

/* A DESCRIPTION arrived, with that number of its start (0 when unknown). Returns true if the device has
 * restarted since the last one; the watch begins again. If the number changes again within 2 s, or while the
 * description `contradicts` a restart, it is ignored until the line was connected again. */
bool restart_watch_boot(struct restart_watch *watch, uint32_t boot, bool contradicts, uint64_t now_ms);

/* Something else arrived that only a running device sends. */
static inline void restart_watch_hear(struct restart_watch *watch)
{
    watch->heard = true;
}

#endif
