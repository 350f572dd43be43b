/* mpt_extension.c - collects other profilers' records into packets, source by source in turn. They have their
 * own packet, so that it can fill and be sent while the agent's packet fills. */
#include "mpt_extension.h"

#if MPT_EXTENSIONS

#include "mpt.h"
#include "mpt_ring.h"
#include "protocol/frame.h"
#include "protocol/packet.h"

#define RECORDS (extensions.packet + MP_FRAME_HEAD + MP_EXTENSION_HEAD)
#define ROOM    (MPT_EXTENSION_BYTES - MP_EXTENSION_HEAD)

static struct {
    struct {
        mpt_extension_take take;
        uint8_t dialect;
    } source[MPT_EXTENSIONS];
    uint8_t n;       /* sources */
    uint8_t at;      /* source of the packet, or whose turn it is */
    uint16_t filled; /* bytes of records in the packet */
    bool had_turn;   /* the newest packet was an extension's */
    uint16_t length; /* of the packet that is being sent; 0: none is */
    uint16_t sent;
    uint32_t since; /* when the first record of the packet that is filling arrived */
    uint8_t packet[MPT_EXTENSION_BYTES + MP_FRAME_OVERHEAD];
} extensions;

bool mpt_extension(uint8_t dialect, mpt_extension_take take)
{
    if (extensions.n == MPT_EXTENSIONS)
        return false;
    extensions.source[extensions.n].take = take;
    extensions.source[extensions.n++].dialect = dialect;
    return true;
}

/* Collects what the source has, as far as it fits. */
static void collect_records(void)
{
    uint16_t before;

    do {
        before = extensions.filled;
        extensions.filled =
            (uint16_t)(before + extensions.source[extensions.at].take(RECORDS + before, ROOM - before));
    } while (extensions.filled != before && extensions.filled < ROOM);
}

static void go_on(void)
{
    extensions.at = (uint8_t)(extensions.at + 1u < extensions.n ? extensions.at + 1u : 0);
}

/* Returns true when a packet is to be sent: it is full enough or old enough. */
static bool fill_extension(void)
{
    bool is_on = mpt_is_profiling(), was_empty = !extensions.filled;

    for (uint32_t i = 0; is_on && i < extensions.n; i++) {
        collect_records();
        if (extensions.filled)
            break;
        go_on();
    }
    if (!extensions.filled)
        return false;
    (void)mpt_ring_fill(); /* sets ring.now */
    if (was_empty)
        extensions.since = mpt_ring.now;
    if (is_on && extensions.filled < ROOM / 2 && mpt_ring.now - extensions.since < MPT_FLUSH_TICKS)
        return false;
    extensions.packet[MP_FRAME_HEAD] = extensions.source[extensions.at].dialect;
    extensions.length = (uint16_t)mp_frame_seal(extensions.packet, MP_EXTENSION,
                                                (uint16_t)(MP_EXTENSION_HEAD + extensions.filled));
    extensions.filled = 0;
    go_on();
    return true;
}

bool mpt_extension_send(void)
{
    while (extensions.sent < extensions.length) {
        size_t n = mpt_port_write(extensions.packet + extensions.sent,
                                  (size_t)(extensions.length - extensions.sent));
        if (!n)
            return false;
        extensions.sent = (uint16_t)(extensions.sent + n);
    }
    extensions.sent = extensions.length = 0;
    return true;
}

bool mpt_extension_in_turn(bool (*fill)(void))
{
    bool had_turn = extensions.had_turn;

    extensions.had_turn = false;
    if (!had_turn && fill_extension())
        return extensions.had_turn = true;
    if (fill())
        return true;
    return extensions.had_turn = had_turn && fill_extension();
}

#endif
