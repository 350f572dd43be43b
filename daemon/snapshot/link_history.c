/* link_history.c - the link's health over time, in slots that are merged in pairs when there are too many. */
#include "snapshot/link_history.h"

#include "snapshot/figures.h"

#include <string.h>

static void halve_history(struct link_history *history)
{
    for (uint32_t i = 0; i < HISTORY_SLOTS / 2; i++) {
        struct history_slot a = history->slots[2 * i], b = history->slots[2 * i + 1];
        history->slots[i] = (struct history_slot){.bytes = a.bytes + b.bytes,
                                                  .records = a.records + b.records,
                                                  .errors = a.errors + b.errors,
                                                  .up_ms = a.up_ms + b.up_ms};
    }
    memset(&history->slots[HISTORY_SLOTS / 2], 0, HISTORY_SLOTS / 2 * sizeof history->slots[0]);
    history->step_ms *= 2;
}

/* Returns the slot of a time that is not before the newest. */
static struct history_slot *slot_at(struct link_history *history, uint64_t at_ms)
{
    while ((at_ms - history->begin_ms) / history->step_ms >= HISTORY_SLOTS)
        halve_history(history);
    uint32_t index = (uint32_t)((at_ms - history->begin_ms) / history->step_ms);
    history->slots_used = index + 1;
    return &history->slots[index];
}

void link_history_wait(struct link_history *history, uint64_t now_ms)
{
    if (history->step_ms == 0)
        return;
    slot_at(history, now_ms);
    while (history->last_ms < now_ms) {
        uint64_t index = (history->last_ms - history->begin_ms) / history->step_ms;
        uint64_t end_ms = history->begin_ms + (index + 1) * history->step_ms;
        uint64_t until_ms = end_ms < now_ms ? end_ms : now_ms;
        if (history->was_up)
            history->slots[index].up_ms += (uint32_t)(until_ms - history->last_ms);
        history->last_ms = until_ms;
    }
}

static uint64_t growth_since(uint64_t *total, uint64_t now)
{
    uint64_t more = now > *total ? now - *total : 0;
    *total = now;
    return more;
}

static void note_figures(struct link_history *history, const struct snapshot_link *link, uint64_t now_ms)
{
    const struct figure *figure = figures_link;
    for (uint32_t i = 0; i < HISTORY_FIGURES && figure->key; i++, figure++)
        if (figure->adds_up && growth_since(&history->totals[i], figure_u64(figure, link)) > 0)
            history->grown_ms[i] = now_ms;
}

void link_history_add(struct link_history *history, const struct snapshot_link *link, uint64_t overflows,
                      bool up, uint64_t now_ms)
{
    if (history->step_ms == 0) {
        history->begin_ms = history->last_ms = now_ms;
        history->step_ms = HISTORY_STEP_MS;
    }
    link_history_wait(history, now_ms);
    struct history_slot *slot = slot_at(history, now_ms);
    slot->bytes += growth_since(&history->bytes, link->bytes);
    slot->records += growth_since(&history->records, link->records);
    slot->errors += growth_since(&history->errors, link->crc_errors + link->framing_errors + link->malformed +
                                                       link->records_lost + overflows);
    note_figures(history, link, now_ms);
    history->was_up = up;
}
