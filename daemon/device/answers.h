/* answers.h - how long the newest answer took, and so how late anything on the line may be.
 *
 * An answer comes after everything that was sent before it. So bytes that come with it are at most as late as
 * the answer, counted from its question, except for what the target still holds back. When more than one
 * question is open, an answer may be to any of them: the line is late, or an answer was lost. Questions are
 * those that every target answers, GET_METADATA and GET_STATUS; the latter is asked once a second. */
#ifndef DEVICE_ANSWERS_H
#define DEVICE_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

/* Zero is the start state, and that after a restart or a new connection. */
struct answers {
    uint32_t open; /* questions without an answer so far */
    bool has_some; /* one was answered */
    bool is_known; /* `took_us` is of the newest answer, which came at `heard_us` */
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

/* An answer came. Nobody may have asked. */
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

/* Nothing came for long: whatever was open is not answered any more. */
static inline void answers_give_up(struct answers *answers)
{
    answers->open = 0;
}

/* True when `took_us` is of a moment ago. */
static inline bool answers_are_known(const struct answers *answers, uint64_t now_us)
{
    return answers->is_known && now_us - answers->heard_us < ANSWERS_FRESH_US;
}

/* True when nobody is asked, or nobody answers whatever is asked. */
static inline bool answers_are_none(const struct answers *answers)
{
    return !answers->has_some && (answers->open == 0 || answers->open >= ANSWERS_DEAF);
}

#endif
