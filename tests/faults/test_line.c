/* test_line.c - sends streams of every dialect over a line with a named fault, or from a device with one, to decoder
 * and profile. Undamaged packets must be counted, and the figures must be consistent. With checksums no edge may be
 * false, and there may be no more calls than were made. A 16-bit checksum fits one damaged packet in 65,536 by chance:
 * a try in which more packets were accepted than arrived undamaged may show a false edge, and such tries must be that
 * rare. TEST_FAULTS=N makes N tries instead of 336 and prints the losses by fault.
 *
 * gprof, fprime, syst and tfm have no checksum over each record, so a damaged record may look like another one: for
 * these, only sums and ceilings are checked. */
#include "faults/device.h"
#include "faults/line.h"

#include "../contract/samples.h"
#include "session/decoder.h"
#include "support/effort.h"
#include "support/frozen.h"

enum { FUNCTIONS_MOST = 64, NODES_MOST = 4096, TRIES = 336 };
enum { HURT_BY_CHANCE = 8192 }; /* damaged packets for each accepted one: chance accepts an eighth of that */

/* The forms of a device with packets are listed first. */
static const char *const told[] = {"calls", "stream", "tree", "gprof", "fprime", "syst", "tfm"};
enum { TOLD = sizeof told / sizeof *told };

static struct line_sent sent;
static struct device_said said;
static struct truth truth;

/* Packets sent and received, by form and fault. */
static struct {
    uint64_t tries, sent, came;
} cost[DEVICE_FORMS][LINE_FAULTS];

/* Damaged packets, and tries with a false edge in which one of these was accepted. */
static uint64_t hurt_packets, false_by_chance;

/* Two devices' streams are distinguished by run number, packet numbers and times. `one_run` counts the tries in which
 * both had the same run number. `false_by_fit` counts those with a false edge, because a packet of one device
 * fitted exactly behind a packet of the other. */
static bool is_one_run;
static uint64_t one_run, false_by_fit;

/* ---- sending ---- */

static void say_hello(struct line_sent *to, const struct device *device)
{
    struct mp_metadata metadata = {
        .mcu_clock_hz = 48000000, .timer_hz = 1000000, .elf_build_id = device->base};
    stream_metadata(&to->stream, &metadata);
    line_packet_ends(to);
}

static void say(struct line_sent *to, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        stream_packet(&to->stream, MP_PROFILE_DATA, said.packet[i].payload, said.packet[i].n);
        line_packet_ends(to);
    }
}

static void run(const struct device *device, struct test_random *random, struct line_sent *to)
{
    device_run(device, random, &said, &truth);
    say(to, said.n);
}

static struct device any_device(size_t form, uint32_t base, struct test_random *random)
{
    return (struct device){.form = (enum device_form)form,
                           .base = base,
                           .clock = (uint32_t)test_random_next(random),
                           .run = (uint8_t)test_random_below(random, 3)};
}

static void send_mixed(size_t form, struct test_random *random)
{
    static struct line_sent one[2];
    uint8_t runs[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct device device = any_device(form, i * DEVICE_DISTANCE, random);
        runs[i] = device.run;
        one[i] = (struct line_sent){.n = 0};
        run(&device, random, &one[i]);
    }
    is_one_run = form == DEVICE_STREAM && runs[0] == runs[1];
    line_mix(&sent, (const struct line_sent *const[]){&one[0], &one[1]}, random);
    stream_fini(&one[0].stream);
    stream_fini(&one[1].stream);
}

/* Sends two devices one after the other. The second one's METADATA may be missing, as if lost. */
static void send_another(size_t form, uint32_t base, struct test_random *random)
{
    struct device first = any_device(form, 0, random), second = any_device(form, base, random);
    if (base == 0)
        second.clock = (uint32_t)test_random_below(random, 100);
    say_hello(&sent, &first);
    device_run(&first, random, &said, &truth);
    say(&sent, 1 + test_random_below(random, said.n));
    line_break_off(&sent, random);
    is_one_run = form == DEVICE_STREAM && first.run == second.run;
    if (test_random_below(random, 2)) {
        say_hello(&sent, &second);
        is_one_run = false;
    }
    run(&second, random, &sent);
}

/* For dialects without packets. */
static void send_raw(size_t kind, enum line_fault fault, struct test_random *random)
{
    size_t next = kind + 1 < TOLD ? kind + 1 : DEVICE_FORMS;
    static struct line_sent one[2];
    sample_find(told[kind])->write(&one[0].stream);
    sample_find(told[fault == LINE_REBOOT ? kind : next])->write(&one[1].stream);
    if (fault == LINE_MIXED) {
        line_mix(&sent, (const struct line_sent *const[]){&one[0], &one[1]}, random);
    } else {
        bool is_over = fault == LINE_REBOOT || fault == LINE_BOARD;
        stream_bytes(&sent.stream, one[0].stream.bytes,
                     is_over ? test_random_below(random, one[0].stream.n) : one[0].stream.n);
        stream_bytes(&sent.stream, one[1].stream.bytes, is_over ? one[1].stream.n : 0);
    }
    stream_fini(&one[0].stream);
    stream_fini(&one[1].stream);
}

static void send_all(size_t kind, enum line_fault fault, struct test_random *random)
{
    sent = (struct line_sent){.n = 0};
    truth = (struct truth){.n = 0};
    is_one_run = false;
    if (kind >= DEVICE_FORMS) {
        send_raw(kind, fault, random);
    } else if (fault == LINE_MIXED) {
        send_mixed(kind, random);
    } else if (fault == LINE_REBOOT || fault == LINE_BOARD) {
        send_another(kind, fault == LINE_BOARD ? DEVICE_DISTANCE : 0, random);
    } else {
        struct device device = any_device(kind, 0, random);
        device.lie = fault == LINE_BACK    ? DEVICE_TIME_BACK
                     : fault == LINE_DEPTH ? DEVICE_DEPTH_LIES
                                           : DEVICE_HONEST;
        run(&device, random, &sent);
    }
}

/* ---- receiving ---- */

static struct listener {
    struct profile *profile;
    struct decoder *decoder;
    bool has_met; /* METADATA has arrived */
} listener;

/* Applies events as a session does: a device that sends METADATA again has restarted. */
static void apply(void *user, const struct event *events, size_t n)
{
    (void)user;
    for (size_t i = 0; i < n; i++) {
        if (events[i].kind == EVENT_TARGET && listener.has_met)
            decoder_restart(listener.decoder);
        listener.has_met |= events[i].kind == EVENT_TARGET;
    }
    profile_apply(listener.profile, events, n);
}

/* Returns true if all shown calls were made. Otherwise returns false with `may_err`, and fails without. */
static bool is_true(const struct snapshot *snapshot, bool may_err, const char *what)
{
    uint64_t calls = 0;
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        const struct snapshot_function *callee = &snapshot->functions[node->function];
        int32_t above = snapshot->nodes[node->parent].function;
        calls += callee->kind == KIND_FUNCTION ? node->calls : 0;
        if (above < 0 || node->calls == 0 || callee->kind != KIND_FUNCTION ||
            snapshot->functions[above].kind != KIND_FUNCTION)
            continue;
        bool was_called = truth_has(&truth, snapshot->functions[above].address, callee->address);
        if (!was_called && may_err)
            return false;
        cr_assert(was_called, "%s: 0x%" PRIx64 " never called 0x%" PRIx64, what,
                  snapshot->functions[above].address, callee->address);
    }
    if (calls > truth.calls && may_err)
        return false;
    cr_assert_leq(calls, truth.calls, "%s: %" PRIu64 " calls of %" PRIu64, what, calls, truth.calls);
    return true;
}

/* Checks what must be consistent after any input. `adds_up`: also that no call is longer than its caller. */
static void check(const struct snapshot *snapshot, bool adds_up, const char *what)
{
    static uint64_t below[2 * NODES_MOST];
    memset(below, 0, sizeof below);
    cr_assert_leq(snapshot->function_count, 2 * FUNCTIONS_MOST, "%s", what);
    cr_assert_leq(snapshot->node_count, 2 * NODES_MOST, "%s", what);
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        cr_assert(node->parent >= 0 && (uint32_t)node->parent < i, "%s", what);
        cr_assert_leq(node->self_ticks, node->total_ticks, "%s: node %u", what, i);
        below[node->parent] += node->total_ticks;
    }
    for (uint32_t i = 1; i < snapshot->node_count && adds_up; i++)
        cr_assert_leq(below[i], snapshot->nodes[i].total_ticks, "%s: what node %u called", what, i);
}

static void hear(struct decoder *decoder, const struct stream *came, bool stalls, struct test_random *random)
{
    for (size_t at = 0, n; at < came->n; at += n) {
        n = 1 + test_random_below(random, 700);
        n = n < came->n - at ? n : came->n - at;
        decoder_feed(decoder, came->bytes + at, n);
        if (stalls && test_random_below(random, 4) == 0)
            decoder_idle(decoder);
    }
    decoder_finish(decoder);
}

static void try_one(size_t kind, enum line_fault fault, uint64_t seed)
{
    static const struct profile_limits limits = {.functions = FUNCTIONS_MOST, .nodes = NODES_MOST};
    static const struct dialect_settings settings;
    char what[100];
    snprintf(what, sizeof what, "%s, %s, seed %" PRIu64, told[kind], line_names[fault], seed);
    struct test_random random = {seed};
    struct error err = {""};
    send_all(kind, fault, &random);
    struct stream came = line_send(&sent, fault, &random);
    struct profile *profile = profile_new(&limits);
    struct event_out out = {apply, NULL};
    struct decoder *decoder =
        decoder_new(dialect_find(kind < DEVICE_FORMS ? "miniprof" : told[kind]), &settings, &out, &err);
    cr_assert_not_null(decoder, "%s", err.text);
    listener = (struct listener){profile, decoder, false};
    hear(decoder, &came, fault == LINE_STALL, &random);
    profile_finish(profile);
    struct snapshot_link link = {0};
    decoder_tell(decoder, &link);
    size_t whole = 0;
    for (size_t i = 0; i < sent.n; i++)
        whole += !sent.hurt[i];
    cr_assert_geq(link.packets, whole, "%s: %" PRIu64 " packets of %zu whole ones", what, link.packets,
                  whole);
    if (kind < DEVICE_FORMS) {
        cost[kind][fault].tries++;
        cost[kind][fault].sent += sent.n;
        cost[kind][fault].came += link.packets < sent.n ? link.packets : sent.n;
    }
    cr_assert_leq(link.bytes_skipped, link.bytes, "%s", what);
    struct snapshot *snapshot = freeze(profile);
    bool may_err = link.packets > whole && fault != LINE_DOUBLED;
    check(snapshot, kind < DEVICE_FORMS && fault != LINE_DEPTH && !may_err, what);
    hurt_packets += kind < DEVICE_FORMS ? sent.n - whole : 0;
    if (kind < DEVICE_FORMS && !is_true(snapshot, may_err || is_one_run, what))
        *(may_err ? &false_by_chance : &false_by_fit) += 1;
    one_run += is_one_run;
    snapshot_unref(snapshot);
    decoder_free(decoder);
    profile_free(profile);
    stream_fini(&came);
    stream_fini(&sent.stream);
}

Test(line, faults_add_no_calls_and_damage_only_what_they_touch)
{
    const char *wanted = getenv("TEST_FAULTS");
    uint64_t tries = wanted ? strtoull(wanted, NULL, 10) : test_effort(TRIES / 4, TRIES);
    struct test_random random = test_random_start("line");
    for (uint64_t i = 0; i < tries; i++)
        try_one(i % TOLD, (enum line_fault)(i / TOLD % LINE_FAULTS), test_random_next(&random));
    cr_assert_leq(false_by_chance, 1 + hurt_packets / HURT_BY_CHANCE, "%" PRIu64 " of %" PRIu64 " packets",
                  false_by_chance, hurt_packets);
    cr_assert_leq(false_by_fit, 1 + one_run / 10, "%" PRIu64 " of %" PRIu64 " tries", false_by_fit, one_run);
    if (wanted)
        fprintf(stderr, "%" PRIu64 " of %" PRIu64 " tries with two streams of one run have a false edge\n",
                false_by_fit, one_run);
    if (wanted)
        fprintf(stderr, "%" PRIu64 " damaged packets, %" PRIu64 " tries with a false edge by one of them\n",
                hurt_packets, false_by_chance);
    for (size_t kind = 0; kind < DEVICE_FORMS && wanted; kind++)
        for (size_t fault = 0; fault < LINE_FAULTS; fault++)
            fprintf(stderr, "| %s | %s | %" PRIu64 " | %.3f |\n", told[kind], line_names[fault],
                    cost[kind][fault].tries,
                    100.0 * (double)(cost[kind][fault].sent - cost[kind][fault].came) /
                        (double)(cost[kind][fault].sent ? cost[kind][fault].sent : 1));
}
