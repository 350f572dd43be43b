/* compact.c - the state that writer and reader of the compact stream keep of a packet. */
#include "protocol/compact.h"

void mp_compact_state_begin(struct mp_compact_state *state, uint8_t slots, uint32_t time, uint32_t context)
{
    state->time = time;
    state->told = 0;
    state->context = context;
    state->slots = slots;
    state->used = state->oldest = 0;
    state->last = MP_COMPACT_NONE;
    state->known = state->base = state->levels = 0;
}

uint32_t mp_compact_find(struct mp_compact_state *state, uint32_t function)
{
    const uint32_t *at = state->function;
    uint32_t used = state->used, kept = state->function[used];

    state->function[used] = function;
    while (*at != function)
        at++;
    state->function[used] = kept;
    uint32_t slot = (uint32_t)(at - state->function);

    return slot < used ? slot : MP_COMPACT_SLOTS;
}

static uint8_t less_gone(uint8_t n, uint32_t gone)
{
    return (uint8_t)(n > gone ? n - gone : 0);
}

/* Forgets the outermost `n` calls. */
static void forget_outermost(struct mp_compact_state *state, uint32_t n)
{
    for (uint32_t i = n; i < state->known; i++)
        state->call[i - n] = state->call[i];
    state->known = less_gone(state->known, n);
    state->base = less_gone(state->base, n);
    for (uint32_t i = 0; i < state->levels; i++)
        state->level[i].base = less_gone(state->level[i].base, n);
}

uint8_t mp_compact_add(struct mp_compact_state *state, uint32_t function)
{
    uint8_t slot = state->used;

    if (slot < state->slots) {
        state->used++;
    } else {
        slot = state->oldest;
        state->oldest = (uint8_t)((slot + 1u) % state->slots);
        for (uint32_t i = state->known; i-- > 0;) {
            if (state->call[i] == slot) {
                forget_outermost(state, i + 1);
                break;
            }
        }
        for (uint32_t i = 0; i < state->levels; i++) {
            if (state->level[i].last / 2 == slot)
                state->level[i].last = MP_COMPACT_NONE;
        }
    }
    state->function[slot] = function;
    state->next[2 * slot] = state->next[2 * slot + 1] = MP_COMPACT_EXITS;
    return slot;
}

void mp_compact_push(struct mp_compact_state *state, uint8_t slot)
{
    if (state->known == MP_COMPACT_CALLS)
        forget_outermost(state, 1);
    state->call[state->known++] = slot;
}

void mp_compact_unwind(struct mp_compact_state *state, uint32_t function)
{
    while (state->known > state->base) {
        if (state->function[state->call[--state->known]] == function)
            return;
    }
}

void mp_compact_switch(struct mp_compact_state *state, uint32_t context)
{
    for (uint32_t i = 0; i < state->levels; i++) {
        struct mp_compact_level *level = &state->level[i];

        if (level->context == context) {
            state->known = i + 1u < state->levels ? state->level[i + 1].base : state->base;
            state->base = level->base;
            state->last = level->last;
            state->levels = (uint8_t)i;
            state->context = context;
            return;
        }
    }
    if (state->levels == MP_COMPACT_LEVELS)
        state->levels = state->known = state->base = 0;
    else
        state->level[state->levels++] = (struct mp_compact_level){state->context, state->base, state->last};
    state->base = state->known;
    state->last = MP_COMPACT_NONE;
    state->context = context;
}
