/* call_pairs.c - makes finished calls of packets of the compact stream. */
#include "protocol/call_pairs.h"

/* Returns NULL when there was no memory for it. */
static struct mp_pairs_context *find_pairs_context(struct mp_pairs *pairs, uint32_t id)
{
    for (uint32_t i = 0; i < pairs->follower.n; i++) {
        if (pairs->follower.contexts[i].id == id)
            return &pairs->contexts[i];
    }
    return NULL;
}

static void end_call(struct mp_pairs *pairs, struct mp_pairs_context *context, const struct mp_step *step)
{
    context->n = step->depth < context->low ? step->depth : step->depth - context->unknown;
    struct mp_pair pair = {
        .context = step->context,
        .function = step->function,
        .start = context->start[context->n],
        .end = step->time,
        .depth = step->depth,
        .is_whole = context->start[context->n] >= context->since,
    };
    pairs->call(pairs->user, &pair);
}

static void change_stack(struct mp_pairs_context *context, const struct mp_step *step)
{
    context->n = step->low + step->high;
    context->low = step->unknown ? step->low : context->n;
    context->unknown = step->unknown;
    context->since = step->time;
}

/* Names the lowest of the unknown calls, above which no known call lies. */
static void name_call(struct mp_pairs_context *context, const struct mp_step *step)
{
    context->start[context->n++] = step->time > step->age ? step->time - step->age : 0;
    context->low = context->n;
    context->unknown--;
}

static void tell_loss(struct mp_pairs *pairs, const struct mp_step *step)
{
    struct mp_loss loss = {step->from, step->time, step->lost, step->context, step->is_gap};

    if (pairs->loss)
        pairs->loss(pairs->user, &loss);
}

static void take_pairs_step(void *user, const struct mp_step *step)
{
    struct mp_pairs *pairs = user;
    struct mp_pairs_context *context = find_pairs_context(pairs, step->context);

    switch (step->kind) {
    case MP_STEP_ENTER: context->start[context->n++] = step->time; break;
    case MP_STEP_EXIT: end_call(pairs, context, step); break;
    case MP_STEP_STACK: change_stack(context, step); break;
    case MP_STEP_OPEN: name_call(context, step); break;
    case MP_STEP_LOSS: tell_loss(pairs, step); break;
    case MP_STEP_CLOCK: pairs->hz = step->hz; break;
    case MP_STEP_RUN:
    case MP_STEP_SWITCH:
    case MP_STEP_NAME:
    case MP_STEP_WINDOW:
    case MP_STEP_WINDOW_END: break;
    }
}

void mp_pairs_init(struct mp_pairs *pairs, struct mp_followed *followed, struct mp_pairs_context *contexts,
                   uint32_t room)
{
    pairs->contexts = contexts;
    pairs->hz = 0;
    pairs->follower.user = pairs;
    pairs->follower.step = take_pairs_step;
    mp_follower_init(&pairs->follower, followed, room);
}

void mp_pairs_packet(struct mp_pairs *pairs, const uint8_t *payload, size_t n)
{
    mp_follower_packet(&pairs->follower, payload, n);
}

void mp_pairs_restart(struct mp_pairs *pairs)
{
    mp_follower_restart(&pairs->follower);
}
