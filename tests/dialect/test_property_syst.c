/* test_property_syst.c - MIPI SyS-T as in its document, in all framings and with all packets of STPv2. */
#include "property.h"

#include "support/syst.h"

enum { SAID_MOST = 40, PAYLOAD_MOST = 120, CHANNELS = 5 };

/* A message, and the event expected for it. */
struct said {
    struct stream bytes;
    struct syst_say say;
    uint8_t guid[16], location[9], payload[PAYLOAD_MOST];
    bool is_number; /* it has no sender */
    uint16_t master, channel;
    uint64_t transport; /* time */
    char text[2 * PAYLOAD_MOST + 64];
    const char *status;
};

struct writer {
    struct test_random *random;
    struct said said[SAID_MOST];
    size_t n, errors;
    bool stamped, has_lengths;
    uint64_t stamp;
};

static size_t below(const struct writer *writer, size_t limit)
{
    return test_random_below(writer->random, limit);
}

static bool chance(const struct writer *writer, unsigned percent)
{
    return property_chance(writer->random, percent);
}

/* ---- messages ---- */

static void dump(char *text, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
}

static void write_words(struct writer *writer, struct said *said, size_t at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        said->payload[at + i] = (uint8_t)('a' + below(writer, 26));
}

static void write_string(struct writer *writer, struct said *said)
{
    static const uint8_t subtypes[] = {1, 2, 3, 5, 7, 11, 12};
    size_t n = 1 + below(writer, PAYLOAD_MOST - 20);
    said->say.subtype = subtypes[below(writer, sizeof subtypes)];
    write_words(writer, said, 0, n);
    memcpy(said->text, said->payload, n);
    if (said->say.subtype >= 11) { /* a format with a number */
        uint32_t number = (uint32_t)test_random_next(writer->random);
        memcpy(said->payload + n, " %u", 4);
        sprintf(said->text + n, " %u", number);
        memcpy(said->payload + n + 4, &number, 4);
        n += 8;
    } else {
        n += chance(writer, 70); /* its NUL */
    }
    said->say.n = n;
}

static void write_catalog(struct writer *writer, struct said *said)
{
    static const uint8_t subtypes[] = {1, 2, 5, 6};
    size_t n = below(writer, 20);
    said->say.subtype = subtypes[below(writer, 4)];
    bool wide = said->say.subtype == 2 || said->say.subtype == 6;
    uint64_t id = test_random_next(writer->random) >> (wide ? 0 : 32);
    memcpy(said->payload, &id, wide ? 8 : 4);
    for (size_t i = 0; i < n; i++)
        said->payload[(wide ? 8 : 4) + i] = (uint8_t)below(writer, 256);
    int digits = sprintf(said->text, "0x%0*llX%s", wide ? 16 : 8, (unsigned long long)id, n ? " " : "");
    dump(said->text + digits, said->payload + (wide ? 8 : 4), n);
    said->say.n = (wide ? 8 : 4) + n;
    said->status = "MISSING_COLLATERAL";
}

static void write_raw(struct writer *writer, struct said *said)
{
    said->say.subtype = (uint8_t)below(writer, 64);
    said->say.n = below(writer, PAYLOAD_MOST);
    for (size_t i = 0; i < said->say.n; i++)
        said->payload[i] = (uint8_t)below(writer, 256);
    dump(said->text, said->payload, said->say.n);
}

static void write_build(struct writer *writer, struct said *said)
{
    uint64_t number = test_random_next(writer->random);
    said->say.subtype = 2;
    memcpy(said->payload, &number, 8);
    said->say.n = 8;
    sprintf(said->text, "0x%016llX", (unsigned long long)number);
}

/* Numbers that are a message: SHORT32, SHORT64 and compact BUILDs. */
static void write_number(struct writer *writer, struct said *said)
{
    uint64_t number = test_random_next(writer->random);
    said->is_number = true;
    switch (below(writer, 4)) {
    case 0:
        syst_number(&said->bytes, (number & 0xFFFFFFF) << 4 | 1, 4);
        sprintf(said->text, "0x%08llX", (unsigned long long)(number & 0xFFFFFFF));
        break;
    case 1:
        syst_number(&said->bytes, number << 4 | 7, 8);
        sprintf(said->text, "0x%016llX", (unsigned long long)(number & UINT64_MAX >> 4));
        break;
    case 2:
        number = (number & 0x3FFFFF) | 1;
        syst_number(&said->bytes, (number & 0xFFFFF) << 4 | number >> 20 << 30, 4);
        sprintf(said->text, "0x%08llX", (unsigned long long)number);
        break;
    default:
        number &= (UINT64_C(1) << 54) - 1;
        syst_number(&said->bytes, (number & 0xFFFFF) << 4 | 1 << 24 | number >> 20 << 30, 8);
        sprintf(said->text, "0x%016llX", (unsigned long long)number);
        break;
    }
}

static void write_fields(struct writer *writer, struct said *said)
{
    struct syst_say *say = &said->say;
    say->severity = (uint8_t)below(writer, 8);
    say->origin = (uint8_t)below(writer, 3);
    say->unit = (uint16_t)below(writer, 16);
    for (size_t i = 0; i < 16; i++)
        said->guid[i] = (uint8_t)(i < 15 ? 16 * i : 1 + below(writer, 3));
    if (chance(writer, 30)) {
        say->guid = said->guid;
        say->origin = 0;
    }
    said->location[0] = (uint8_t)below(writer, 4);
    for (size_t i = 1; i < 9; i++)
        said->location[i] = (uint8_t)below(writer, 256);
    if (chance(writer, 30)) {
        say->location = said->location;
        say->location_n = said->location[0] & 1 ? 9 : 5;
    }
    say->open = !writer->has_lengths && chance(writer, 30);
    say->checked = chance(writer, 40);
    say->stamped = writer->stamped;
    say->timestamp = writer->stamp += below(writer, 1000);
    say->payload = said->payload;
}

static void write_message(struct writer *writer)
{
    struct said *said = &writer->said[writer->n++];
    *said = (struct said){.status = "OK"};
    size_t kind = below(writer, 10);
    said->say.type = kind < 5 ? 2 : kind < 6 ? 3 : kind < 7 ? 6 : 0;
    if (kind == 9) {
        write_number(writer, said);
        return;
    }
    if (kind < 5)
        write_string(writer, said);
    else if (kind < 6)
        write_catalog(writer, said);
    else if (kind < 7)
        write_raw(writer, said);
    else
        write_build(writer, said);
    write_fields(writer, said);
    syst_say(&said->bytes, &said->say);
}

/* ---- STPv2 ---- */

enum { LEGACY = 1, DELTA, NATURAL, GRAY };

struct stp {
    struct writer *writer;
    struct syst_nibbles out;
    int stamps; /* form given by VERSION */
    bool told;  /* VERSION gives the order */
    bool extras, is_new;
    uint64_t time, sent; /* present time; time sent last */
    uint16_t master, channel;
};

static uint64_t coded(const struct stp *stp, uint64_t time)
{
    return stp->stamps == GRAY ? time ^ time >> 1 : time;
}

/* The number of nibbles needed for a difference. */
static int nibbles_of(uint64_t difference)
{
    int n = 0;
    for (; difference; difference >>= 4)
        n++;
    return n == 13 ? 14 : n == 15 ? 16 : n;
}

static void put_stamp(struct stp *stp)
{
    stp->time += below(stp->writer, chance(stp->writer, 10) ? 10000000 : 300);
    if (stp->stamps == LEGACY) {
        syst_nibble_value(&stp->out, below(stp->writer, 256), 2);
        return;
    }
    bool delta = stp->stamps == DELTA;
    uint64_t value = delta ? stp->time - stp->sent : coded(stp, stp->time);
    int n = stp->is_new ? 16 : nibbles_of(delta ? value : value ^ coded(stp, stp->sent));
    syst_nibble(&stp->out, n == 14 ? 13 : n == 16 ? 14 : (unsigned)n);
    syst_nibble_value(&stp->out, value, n);
    stp->sent = stp->time;
    stp->is_new = false;
}

static void put_sync(struct stp *stp)
{
    for (int i = 0; i < 21; i++)
        syst_nibble(&stp->out, 0xF);
    for (size_t nulls = 1 + (chance(stp->writer, 20) ? below(stp->writer, 3) : 0); nulls > 0; nulls--)
        syst_nibble(&stp->out, 0);
    syst_nibble_code(&stp->out, 0xF00);
    syst_nibble(&stp->out, (unsigned)stp->stamps | (stp->told ? 8 : 0));
    if (stp->told) {
        syst_nibble(&stp->out, stp->out.most_first ? 0 : 8);
        syst_nibble(&stp->out, (unsigned)(1 + below(stp->writer, 3)));
    }
    stp->master = stp->channel = 0;
    stp->is_new = true;
    syst_nibble_code(&stp->out, 0xF08);
    syst_nibble_value(&stp->out, 60000000, 8);
}

/* Writes a packet that does not belong to SyS-T. */
static void put_extra(struct stp *stp)
{
    static const struct {
        uint16_t code;
        uint8_t nibbles;
        bool stamped;
    } packets[] = {{0x0, 0, false},   {0xF06, 2, false},   {0xF07, 2, true},   {0xF0A, 2, false},
                   {0xF0B, 2, true},  {0xF0F0, 10, false}, {0xF0F1, 10, true}, {0xF08, 8, false},
                   {0xF09, 8, true},  {0xF01, 0, true},    {0xC, 1, false},    {0xD, 1, true},
                   {0xFC, 1, true},   {0xFD, 1, false},    {0xF02, 16, false}, {0xF03, 16, true},
                   {0xF04, 8, false}, {0xF05, 8, true}};
    size_t i = below(stp->writer, sizeof packets / sizeof *packets);
    uint64_t value = test_random_next(stp->writer->random);
    int n = packets[i].nibbles;
    syst_nibble_code(&stp->out, packets[i].code);
    if (packets[i].code == 0xF02 || packets[i].code == 0xF03) { /* USER: its length less one */
        n = 1 + (int)below(stp->writer, 16);
        syst_nibble(&stp->out, (unsigned)n - 1);
    } else if (packets[i].code == 0xF04 || packets[i].code == 0xF05) { /* TIME: clock, kind of stamp, stamp */
        syst_nibble_code(&stp->out, 0x538);
    } else if (n >= 8) { /* FREQ */
        value = 60000000;
    }
    syst_nibble_value(&stp->out, n < 16 ? value & ((UINT64_C(1) << 4 * n) - 1) : value, n);
    if (packets[i].stamped)
        put_stamp(stp);
}

static void put_number(struct stp *stp, unsigned narrow, unsigned wide, uint16_t value, bool may_be_narrow)
{
    bool is_narrow = may_be_narrow && chance(stp->writer, 70);
    syst_nibble_code(&stp->out, is_narrow ? narrow : wide);
    syst_nibble_value(&stp->out, is_narrow ? value & 0xFF : value, is_narrow ? 2 : 4);
}

static void put_sender(struct stp *stp, const struct said *said)
{
    if (stp->master != said->master) {
        put_number(stp, 0x1, 0xF1, said->master, stp->master >> 8 == said->master >> 8);
        stp->channel = 0;
    }
    stp->master = said->master;
    if (stp->channel != said->channel)
        put_number(stp, 0x3, 0xF3, said->channel, stp->channel >> 8 == said->channel >> 8);
    stp->channel = said->channel;
}

/* One of the messages being written, and its next piece. */
struct sending {
    struct said *said;
    size_t at;
};

/* Writes the next piece. True when it was the last one. */
static bool put_piece(struct stp *stp, struct sending *sending)
{
    struct said *said = sending->said;
    size_t left = said->bytes.n - sending->at, log = below(stp->writer, 4);
    while ((size_t)1 << log > left)
        log--;
    size_t n = (size_t)1 << log;
    bool first = sending->at == 0, last = n == left, marked = last && chance(stp->writer, 50);
    put_sender(stp, said);
    if (first || marked)
        syst_nibble_code(&stp->out, (unsigned)((first && marked ? 0x8 : first ? 0xF4 : 0xF8) + log));
    else
        syst_nibble(&stp->out, (unsigned)(4 + log));
    syst_nibble_value(&stp->out, syst_load(said->bytes.bytes + sending->at, n), 2 * (int)n);
    if (first) {
        put_stamp(stp);
        said->transport = stp->time;
    }
    sending->at += n;
    if (!last || marked)
        return last;
    bool is_stamped = chance(stp->writer, 20);
    syst_nibble_code(&stp->out, is_stamped ? 0xE : 0xFE);
    if (is_stamped)
        put_stamp(stp);
    return true;
}

static void put_between(struct stp *stp, bool is_between_messages)
{
    struct writer *writer = stp->writer;
    if (!stp->extras)
        return;
    if (chance(writer, 20))
        put_extra(stp);
    if (chance(writer, 5))
        put_sync(stp);
    if (is_between_messages && chance(writer, 5)) { /* MERR, GERR, CERR */
        static const uint16_t codes[] = {0x2, 0xF2, 0xF0F3};
        size_t i = below(writer, 3);
        syst_nibble_code(&stp->out, codes[i]);
        syst_nibble_value(&stp->out, below(writer, 256), 2);
        stp->channel = i < 2 ? 0 : stp->channel;
        stp->master = i == 1 ? 0 : stp->master;
        writer->errors++;
    }
}

static void write_stp(struct writer *writer, struct stream *stream, bool *has_times)
{
    static const uint16_t channels[CHANNELS][2] = {{128, 1}, {128, 0x102}, {128, 2}, {0x1201, 0x202}, {5, 2}};
    struct stp stp = {.writer = writer,
                      .out = {.stream = stream, .most_first = chance(writer, 50)},
                      .stamps = chance(writer, 10) ? LEGACY : DELTA + (int)below(writer, 3),
                      .told = chance(writer, 20),
                      .extras = chance(writer, 60),
                      .time = test_random_next(writer->random) >> 20};
    bool pads = chance(writer, 50);
    struct sending sending[CHANNELS] = {{0}};
    size_t most = 1 + below(writer, CHANNELS), open = 0, next = 0;
    stp.sent = stp.stamps == DELTA ? 0 : stp.time;
    for (size_t i = 0, with_length = 0; i <= writer->n; i++) /* without, only VERSION gives the order */
        if (i == writer->n)
            stp.told |= with_length == 0;
        else
            with_length += !writer->said[i].is_number && !writer->said[i].say.open;
    *has_times = stp.stamps != LEGACY;
    put_sync(&stp);
    while (open > 0 || next < writer->n) {
        size_t c = below(writer, most);
        if (!sending[c].said && next == writer->n)
            continue;
        if (!sending[c].said) {
            sending[c] = (struct sending){.said = &writer->said[next++]};
            sending[c].said->master = channels[c][0];
            sending[c].said->channel = channels[c][1];
            open++;
        }
        bool ended = put_piece(&stp, &sending[c]);
        open -= ended;
        if (ended)
            sending[c] = (struct sending){0};
        put_between(&stp, open == 0);
        if (ended && pads && stp.out.half)
            syst_nibble(&stp.out, 0);
    }
}

/* ---- the other framings ---- */

static void write_lines(struct writer *writer, struct stream *stream)
{
    for (size_t i = 0; i < writer->n; i++) {
        if (chance(writer, 20))
            stream_bytes(stream, "boot: clock is 64 MHz\r\n", 23);
        if (chance(writer, 20))
            stream_bytes(stream, "[00:01.5] ", 10);
        syst_line(stream, writer->said[i].bytes.bytes, writer->said[i].bytes.n);
    }
}

/* ---- what is read ---- */

static bool is_same_sender(const struct said *a, const struct said *b)
{
    return a->master == b->master && a->channel == b->channel && a->say.unit == b->say.unit &&
           (a->say.guid != NULL) == (b->say.guid != NULL) && a->say.origin == b->say.origin &&
           (!a->say.guid || !memcmp(a->guid, b->guid, 16));
}

static bool is_told(const struct said *said, const struct event *event, bool by_transport)
{
    const struct event_message *message = event->text.message;
    return event->text.n == strlen(said->text) && !memcmp(event->text.text, said->text, event->text.n) &&
           !strcmp(message->status, said->status) && message->raw_length == said->bytes.n &&
           (!by_transport || message->context_timestamp == said->transport) &&
           (said->is_number ||
            (event->text.severity == said->say.severity && event->text.origin == said->say.origin &&
             event->text.unit == said->say.unit && message->has_checksum == said->say.checked &&
             message->has_timestamp == said->say.stamped &&
             (!said->say.stamped || message->timestamp == said->say.timestamp))) &&
           message->master == said->master && message->channel == said->channel;
}

/* Compares in any order: messages of several channels end in another order than they begin. */
static void check(uint64_t seed, const struct writer *writer, const struct events *events, bool has_channels,
                  bool has_times)
{
    const struct event *of[SAID_MOST] = {NULL};
    size_t texts = 0, lost = 0;
    bool by_stamp = writer->stamped, by_transport = has_channels && has_times;
    for (size_t i = 0; i < events->n; i++) {
        const struct event *event = &events->event[i];
        lost += event->kind == EVENT_LOST;
        if (event->kind != EVENT_TEXT)
            continue;
        texts++;
        for (size_t k = 0; k < writer->n; k++)
            if (!of[k] && is_told(&writer->said[k], event, has_channels && has_times)) {
                of[k] = event;
                break;
            }
    }
    cr_assert_eq(lost, writer->errors, "seed %llu: %zu losses, not %zu", (unsigned long long)seed, lost,
                 writer->errors);
    cr_assert_eq(texts, writer->n, "seed %llu: %zu messages of %zu", (unsigned long long)seed, texts,
                 writer->n);
    for (size_t k = 0; k < writer->n; k++) {
        const struct said *said = &writer->said[k];
        cr_assert_not_null(of[k], "seed %llu: message %zu, \"%s\"", (unsigned long long)seed, k, said->text);
        by_stamp &= said->is_number || of[k]->ticks == said->say.timestamp;
        by_transport &= of[k]->ticks == said->transport;
        for (size_t j = 0; j < k && !said->is_number; j++)
            cr_assert(writer->said[j].is_number ||
                          (of[j]->context == of[k]->context) == is_same_sender(&writer->said[j], said),
                      "seed %llu: contexts of %zu and %zu", (unsigned long long)seed, j, k);
    }
    /* The first message decides which clock is the profile's. */
    cr_assert(by_stamp || by_transport || !(writer->stamped || (has_channels && has_times)),
              "seed %llu: times", (unsigned long long)seed);
}

static void try_seed(uint64_t seed, struct test_random *random)
{
    enum { LINES, BACK_TO_BACK, STP };
    static const char *const framings[] = {"hex", "raw", "stp"};
    static struct writer writer;
    struct stream stream = {0};
    size_t framing = test_random_below(random, 4), n;
    framing = framing < STP ? framing : STP;
    writer = (struct writer){.random = random, .has_lengths = framing == BACK_TO_BACK};
    writer.stamped = chance(&writer, 50);
    n = 1 + below(&writer, SAID_MOST - 1);
    while (writer.n < n)
        write_message(&writer);
    bool has_times = false;
    if (framing == LINES)
        write_lines(&writer, &stream);
    else if (framing == STP)
        write_stp(&writer, &stream, &has_times);
    for (size_t i = 0; framing == BACK_TO_BACK && i < n; i++)
        stream_bytes(&stream, writer.said[i].bytes.bytes, writer.said[i].bytes.n);
    bool is_given = framing == BACK_TO_BACK || property_chance(random, 50);
    struct dialect_setting setting = {"framing", is_given ? framings[framing] : "auto"};
    struct events events = property_read(seed, random, "syst",
                                         &(struct dialect_settings){.settings = &setting, .n = 1}, &stream);
    check(seed, &writer, &events, framing == STP, has_times);
    events_fini(&events);
    stream_fini(&stream);
    for (size_t i = 0; i < n; i++)
        stream_fini(&writer.said[i].bytes);
}

Test(property, syst)
{
    property_each("syst", try_seed);
}
