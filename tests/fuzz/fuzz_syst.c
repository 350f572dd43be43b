/* fuzz_syst.c - decodes SyS-T in any framing: the first byte chooses it and whether a collateral file is used, the
 * rest is fed in pieces. */
#include "fuzz.h"

#include "dialect/dialect.h"
#include "dialect/syst/xml.h"
#include "support/syst.h"

#include <string.h>

static const char collateral_file[] =
    "<c:Collateral xmlns:c='x'><c:Client Name='n'>"
    "<c:Guids><c:Guid ID='{00000000-0000-0000-0000-000000000000}'"
    " Mask='{00000000-0000-0000-0000-000000000000}'/></c:Guids>"
    "<c:Catalog32><c:Format ID='0' Mask='0' File='1' Line='2'>%s %*d %lf %5.3llx %c "
    "%p</c:Format></c:Catalog32>"
    "<c:Catalog64><c:Format ID='0' Mask='0'>%d %d %d</c:Format></c:Catalog64>"
    "<c:Short32><c:Format ID='0' Mask='0xF0'>%u</c:Format></c:Short32></c:Client></c:Collateral>";

struct sum {
    uint64_t texts, touched;
};

static void touch(struct sum *sum, const char *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum->touched += (uint8_t)words[i];
}

static void take(void *user, const struct event *events, size_t n)
{
    struct sum *sum = user;
    FUZZ_CHECK(n > 0);
    for (size_t i = 0; i < n; i++)
        switch (events[i].kind) {
        case EVENT_TEXT:
            sum->texts++;
            touch(sum, events[i].text.text, events[i].text.n);
            FUZZ_CHECK(events[i].text.severity <= SEVERITY_DEBUG);
            FUZZ_CHECK(events[i].text.message && events[i].text.message->status &&
                       events[i].text.message->type);
            touch(sum, events[i].text.message->type, strlen(events[i].text.message->type));
            break;
        case EVENT_ENTER:
        case EVENT_EXIT:
            FUZZ_CHECK((events[i].flags & EVENT_BY_NAME) && events[i].named.n > 0);
            touch(sum, events[i].named.name, events[i].named.n);
            break;
        case EVENT_CLOCK: FUZZ_CHECK(events[i].clock.ticks_per_second > 0); break;
        default: FUZZ_CHECK(events[i].kind == EVENT_LOST);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const framings[] = {"auto", "hex", "raw", "stp"};
    const struct dialect *dialect = dialect_find("syst");
    struct dialect_setting setting = {"framing", framings[size % 4]};
    struct syst_collateral *collateral = syst_collateral_new();
    FUZZ_CHECK(syst_xml_read(collateral, "x", collateral_file, sizeof collateral_file - 1, NULL));
    syst_collateral_settle(collateral);
    struct dialect_settings settings = {
        .settings = &setting, .n = 1, .companion = size % 8 < 4 ? collateral : NULL};
    void *state = fuzz_state(dialect->state_size);
    FUZZ_CHECK(dialect->start(state, &settings, NULL));
    struct sum sum = {0};
    struct event_out out = {take, &sum};
    dialect->probe(data, size);
    for (size_t at = 0, piece; at < size; at += piece) {
        piece = 1 + data[at] % 61;
        piece = piece < size - at ? piece : size - at;
        dialect->decode(state, data + at, piece, &out);
        if (piece == 60)
            dialect->reset(state);
    }
    dialect->finish(state, &out);
    const struct dialect_health *health = dialect->health(state);
    /* Only STP has channels. Data of a channel without any message is reported as text and not counted. */
    const bool has_channels = strcmp(setting.value, "hex") != 0 && strcmp(setting.value, "raw") != 0;
    const uint64_t counted = health->records + health->malformed + health->crc_errors;
    FUZZ_CHECK(has_channels ? counted <= sum.texts : counted == sum.texts);
    syst_collateral_free(collateral);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    struct syst_nibbles nibbles = {stream, false};
    const char *const payloads[] = {"main", "%d%s", "\1\2\3\4five", "12345678deadbeef"};
    for (uint8_t framing = 1; framing < 5; framing++) { /* STP in both orders */
        nibbles.most_first = framing == 4;
        if (framing >= 3)
            syst_stp_begin(&nibbles, 1000);
        for (uint8_t i = 0; i < 16; i++) {
            struct stream message = {0};
            syst_say(&message, &(struct syst_say){.type = (uint8_t[]){2, 2, 3, 8, 9, 6, 0}[i % 7],
                                                  .subtype = (uint8_t[]){2, 11, 1, 1, 7, 3, 2}[i % 7],
                                                  .stamped = i % 2,
                                                  .checked = i % 3 == 0,
                                                  .timestamp = i,
                                                  .payload = payloads[i % 4],
                                                  .n = strlen(payloads[i % 4]) + (i % 7 != 3)});
            if (framing == 1)
                syst_line(stream, message.bytes, message.n);
            else if (framing == 2)
                stream_bytes(stream, message.bytes, message.n);
            else
                syst_stp_message(&nibbles, message.bytes, message.n, 10 * i);
            stream_fini(&message);
        }
    }
}
