/* babble.c - a target that sends random events. */
#include "babble.h"

#include "support/elf_writer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t some_address(struct test_random *random)
{
    return BABBLE_BASE + BABBLE_STEP * test_random_below(random, BABBLE_FUNCTIONS) +
           test_random_below(random, 2) * 4;
}

static struct event some_text(struct test_random *random)
{
    static const char *const texts[] = {"hello", "\"quoted\" \xFF [1,2]", ""};
    static const struct event_message more = {.status = "OK", .type = "STRING:GENERIC", .location = "a.c:1"};
    struct event event = {.kind = EVENT_TEXT, .ticks = test_random_below(random, 1000)};
    event.text.text = texts[test_random_below(random, 3)];
    event.text.n = (uint32_t)strlen(event.text.text);
    event.text.severity = (uint8_t)test_random_below(random, 8);
    event.text.message = test_random_below(random, 2) ? &more : NULL;
    return event;
}

/* Windows are sent without checkpoints only, whose lanes are replaced by contexts. */
static struct event some_edge(struct test_random *random, uint64_t now, bool has_windows)
{
    static const char *const names[] = {"alpha", "beta", "f3", "f4"};
    if (has_windows && test_random_below(random, 6) == 0)
        return (struct event){.kind = EVENT_WINDOW,
                              .ticks = now,
                              .window = {.stage = (uint8_t)test_random_below(random, 3),
                                         .reason = (uint8_t)test_random_below(random, 3),
                                         .address = some_address(random),
                                         .duration = test_random_below(random, 100),
                                         .missed = (uint32_t)test_random_below(random, 3)}};
    struct event event = {.kind = test_random_below(random, 2) ? EVENT_ENTER : EVENT_EXIT,
                          .ticks = now,
                          .context = (uint32_t)test_random_below(random, 3)};
    if (test_random_below(random, 3) == 0) {
        const char *name = names[test_random_below(random, 4)];
        event.flags = EVENT_BY_NAME;
        event.named.name = name;
        event.named.n = (uint32_t)strlen(name);
    } else {
        event.call.address = some_address(random);
    }
    if (has_windows && test_random_below(random, 3) == 0)
        event.flags |= EVENT_KEPT;
    return event;
}

static const struct event_pair pairs[] = {
    {"p", 0, 0, 1, 0}, {"q", 1, 2, 3, 1}, {"r", 0, 3, 0, 1, true, 0, 1}};
static const struct event_plan plan = {.pairs = pairs, .pair_count = 3};

struct event babble_event(struct test_random *random, uint32_t kinds, uint64_t now)
{
    switch (test_random_below(random, 8)) {
    case 0:
    case 1:
        if (kinds & 1)
            return (struct event){.kind = EVENT_CALL,
                                  .depth = (uint16_t)test_random_below(random, 5),
                                  .ticks = now - test_random_below(random, 40),
                                  .call = {some_address(random), test_random_below(random, 40)}};
        break;
    case 2:
    case 3:
        if (kinds & 2)
            return some_edge(random, now, !(kinds & 8));
        break;
    case 4:
        if (kinds & 4)
            return (struct event){
                .kind = EVENT_ARC,
                .arc = {some_address(random), some_address(random), test_random_below(random, 4)}};
        break;
    case 5:
        if (kinds & 4)
            return (struct event){.kind = EVENT_SAMPLE,
                                  .sample = {some_address(random), test_random_below(random, 9)}};
        break;
    case 6:
        if (kinds & 8)
            return (struct event){.kind = EVENT_MARK,
                                  .ticks = now,
                                  .mark = {.topic = (uint32_t)test_random_below(random, 2),
                                           .checkpoint = (uint32_t)test_random_below(random, 4),
                                           .calibration = (uint32_t)test_random_below(random, 2),
                                           .count = (uint32_t)now}};
        break;
    default: break;
    }
    if (test_random_below(random, 20) == 0)
        return (struct event){.kind = test_random_below(random, 2) ? EVENT_RESET : EVENT_LOST};
    if (kinds & 8 && test_random_below(random, 30) == 0)
        return (struct event){.kind = EVENT_PLAN, .plan = &plan};
    return some_text(random);
}

struct symtab *babble_symbols(uint64_t shift)
{
    struct elf_writer elf;
    elf_writer_init(&elf, 4, false, EM_RISCV);
    unsigned text = elf_writer_code(&elf, ".text", BABBLE_BASE, BABBLE_STEP * BABBLE_FUNCTIONS);
    for (unsigned i = 0; i + 4 < BABBLE_FUNCTIONS; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%u", i);
        elf_writer_symbol(&elf, name, BABBLE_BASE + i * BABBLE_STEP + shift, BABBLE_STEP, STB_GLOBAL,
                          STT_FUNC, text);
    }
    size_t n;
    uint8_t *bytes = elf_writer_finish(&elf, &n);
    struct error err;
    struct symtab *symtab = symtab_load_memory(bytes, n, "made.elf", &err);
    cr_assert_not_null(symtab, "%s", err.text);
    free(bytes);
    return symtab;
}

void babble_disturb(struct profile *profile, struct test_random *random, struct symtab *const symbols[2])
{
    switch (test_random_below(random, 40)) {
    case 0: profile_clear(profile); break;
    case 1: profile_set_symbols(profile, symbols[test_random_below(random, 2)]); break;
    case 2: profile_set_symbols(profile, NULL); break;
    case 3: profile_tick(profile, test_random_next(random) >> 32); break;
    case 4:
    case 5:
    case 6: profile_finish(profile); break;
    default: break;
    }
}
