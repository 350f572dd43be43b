/* syst_talk.h - feeds messages to the dialect syst, and checks its events. */
#ifndef DIALECT_SYST_TALK_H
#define DIALECT_SYST_TALK_H

#include "dialect/dialect.h"

#include <criterion/criterion.h>

#include "support/events.h"
#include "support/syst.h"

struct talk {
    const struct dialect *dialect;
    void *state;
    struct events events;
};

static inline struct talk talk_open_with(const struct dialect_settings *settings)
{
    struct talk talk = {.dialect = dialect_find("syst")};
    cr_assert_not_null(talk.dialect);
    talk.state = calloc(1, talk.dialect->state_size);
    struct error err = {""};
    cr_assert(talk.dialect->start(talk.state, settings, &err), "%s", err.text);
    return talk;
}

static inline struct talk talk_open(const char *framing)
{
    struct dialect_setting setting = {"framing", framing};
    return talk_open_with(&(struct dialect_settings){.settings = &setting, .n = 1});
}

static inline void talk_hear(struct talk *talk, const uint8_t *bytes, size_t n)
{
    struct event_out out = events_out(&talk->events);
    talk->dialect->decode(talk->state, bytes, n, &out);
}

/* Feeds one message, as a line. */
static inline void talk_say(struct talk *talk, const struct syst_say *say)
{
    struct stream message = {0}, line = {0};
    syst_say(&message, say);
    syst_line(&line, message.bytes, message.n);
    talk_hear(talk, line.bytes, line.n);
    stream_fini(&message);
    stream_fini(&line);
}

static inline void talk_end(struct talk *talk)
{
    struct event_out out = events_out(&talk->events);
    talk->dialect->finish(talk->state, &out);
}

static inline const struct event *talk_last(const struct talk *talk, enum event_kind kind)
{
    for (size_t i = talk->events.n; i-- > 0;)
        if (talk->events.event[i].kind == kind)
            return &talk->events.event[i];
    cr_assert_fail("no such event");
    return NULL;
}

static inline size_t talk_count(const struct talk *talk, enum event_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < talk->events.n; i++)
        n += talk->events.event[i].kind == kind;
    return n;
}

static inline bool event_says(const struct event *event, const char *text)
{
    return event->text.n == strlen(text) && !memcmp(event->text.text, text, event->text.n);
}

#define EXPECT_TEXT(talk, expected)                                                                          \
    do {                                                                                                     \
        const struct event *said = talk_last(talk, EVENT_TEXT);                                              \
        cr_assert(event_says(said, expected), "\"%.*s\" is not \"%s\"", (int)said->text.n, said->text.text,  \
                  expected);                                                                                 \
    } while (0)

#define EXPECT_WORD(talk, member, expected)                                                                  \
    cr_assert_str_eq(talk_last(talk, EVENT_TEXT)->text.message->member, expected)

static inline void talk_close(struct talk *talk)
{
    events_fini(&talk->events);
    free(talk->state);
}

#endif
