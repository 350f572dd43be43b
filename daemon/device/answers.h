/* answers.h - the delay of the newest answer, which limits the delay of other data on the line.
 *
 * An answer comes after everything that was sent before it. So bytes that arrive with it are at most as old
 * as its question, except for data that the target still holds back. While more than one question is open, an
 * answer may be to any of them: the line is slow, or an answer was lost. Only questions that every target
 * answers are used, GET_METADATA and GET_STATUS; the latter is sent once a second. */
#ifndef DEVICE_ANSWERS_H
#define DEVICE_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

/* All zero is the initial state, also after a restart or a new connection. */
struct answers {
    uint32_t open; /* questions not answered yet */
    bool has_some; /* at least one was answered */
    bool is_known; /* `took_us` is of the newest answer, at `heard_us` */
    uint64_t asked_us, heard_us, took_us;
};

enum { ANSWERS_DEAF = 8, ANSWERS_FRESH_US = 2500 * 1000 };

/* A question was sent. */
static inline void answers_ask(struct answers *answers, uint64_t now_us)
{
    answers->asked_us = now_us;
    answers->open += answers->open < UINT32_MAX;
    answers->is_known &= answers->open <= 1;
}

/* An answer arrived, maybe without a question. */
static inline void answers_hear(struct answers *answers, uint64_t now_us)
{
    if (answers->open == 0)
        return;
    answers->has_some = true;
    answers->is_known = answers->open == 1;
    answers->heard_us = now_us;
    answers->took_us = now_us - answers->asked_us;
    answers->open--;
}

/* Nothing arrived for long: open questions will not be answered. */
static inline void answers_give_up(struct answers *answers)
{
    answers->open = 0;
}

/* True when `took_us` is recent. */
static inline bool answers_are_known(const struct answers *answers, uint64_t now_us)
{
    return answers->is_known && now_us - answers->heard_us < ANSWERS_FRESH_US;
}

/* True when no questions are sent, or none is answered. */
static inline bool answers_are_none(const struct answers *answers)
{
    return !answers->has_some && (answers->open == 0 || answers->open >= ANSWERS_DEAF);
}

#endif
