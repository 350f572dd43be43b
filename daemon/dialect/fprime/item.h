/* item.h - what the F-Prime profiler's readers give: stream.h and text.h. */
#ifndef DIALECT_FPRIME_ITEM_H
#define DIALECT_FPRIME_ITEM_H

#include <stdbool.h>
#include <stdint.h>

/* The greatest reload value of the 24-bit counter. */
enum { FPRIME_RELOAD_MOST = 0xFFFFFF };

/* An address, with the bit of an exit, that no function has: its event tells how many events the target had
 * no room for, up to FPRIME_LOSS_MOST. The original has none such. */
#define FPRIME_LOSS      UINT32_MAX
#define FPRIME_LOSS_MOST 0xFFFFFFu

/* What a reader says next. */
enum fprime_kind {
    FPRIME_NONE,  /* more bytes, please */
    FPRIME_EVENT, /* a function begins or ends */
    FPRIME_GAP,   /* here is something missing: `lost` events, 0 when it is unknown */
};

struct fprime_event {
    enum fprime_kind kind;
    bool is_exit;
    uint32_t address; /* bit 0, Thumb's, is cleared */
    uint32_t ticks;   /* of a down-counter, up to the reload value */
    uint64_t lost;
    bool told; /* GAP: the target reported it, and nothing was unreadable */
};

#endif
