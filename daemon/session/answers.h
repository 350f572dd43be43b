/* answers.h - how long the newest answer to GET_STATUS took, and so how late anything on the line may be.
 *
 * An answer comes after all that was sent before it. So what comes with it is no later than the time since it
 * was asked for, but for what the target still holds back. Where more than one question is open it is not
 * known which one an answer is to: then the line is that late, or an answer was lost. */
#ifndef SESSION_ANSWERS_H
#define SESSION_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

/* Zero is the start state, and that after a restart or a new connection. */
struct answers {
    uint32_t open; /* questions without an answer so far */
    bool has_some; /* it has answered */
    bool is_known; /* `took_us` is of the newest answer */
    uint64_t asked_us, took_us;
};

/* GET_STATUS was sent. */
static inline void answers_ask(struct answers *answers, uint64_t now_us)
{
    answers->asked_us = now_us;
    answers->open += answers->open < UINT32_MAX;
    answers->is_known &= answers->open <= 1;
}

/* STATUS came. */
static inline void answers_hear(struct answers *answers, uint64_t now_us)
{
    answers->has_some = true;
    answers->is_known = answers->open == 1;
    answers->took_us = now_us - answers->asked_us;
    answers->open -= answers->open > 0;
}

/* Nothing came for long: whatever was open is not answered any more. */
static inline void answers_give_up(struct answers *answers)
{
    answers->open = 0;
}

#endif
