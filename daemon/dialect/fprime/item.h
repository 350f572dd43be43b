/* item.h - results of the F-Prime profiler's readers, stream.h and text.h. */
#ifndef DIALECT_FPRIME_ITEM_H
#define DIALECT_FPRIME_ITEM_H

#include <stdbool.h>
#include <stdint.h>

/* The largest reload value of the 24-bit counter. */
enum { FPRIME_RELOAD_MOST = 0xFFFFFF };

/* An address with the exit bit that no function has: its event has the number of events that the target lost,
 * up to FPRIME_LOSS_MOST. The original profiler does not send it. */
#define FPRIME_LOSS      UINT32_MAX
#define FPRIME_LOSS_MOST 0xFFFFFFu

/* Kind of a reader's next result. */
enum fprime_kind {
    FPRIME_NONE,  /* more bytes are needed */
    FPRIME_EVENT, /* a function begins or ends */
    FPRIME_GAP,   /* `lost` events are missing here; 0 when the number is unknown */
};

struct fprime_event {
    enum fprime_kind kind;
    bool is_exit;
    uint32_t address; /* bit 0, Thumb's, is cleared */
    uint32_t ticks;   /* of a down-counter, up to the reload value */
    uint64_t lost;
    bool told; /* GAP: the target reported it; nothing was unreadable */
};

#endif
