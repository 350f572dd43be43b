/* test_vectors.c - protocol/vectors.txt: packets of the compact stream, and the calls and losses that a
 * reader finds in them, one after the other. check_vectors.py reads the same file by the text of SPEC.md
 * alone.
 *
 * MAKE_VECTORS=FILE writes the file again, from two random programs over a bad line. */
#include "protocol/call_pairs.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/compact_program.h"

enum { PACKETS = 100, SENT_MOST = 4 * PACKETS, LINE = 1024 };

static struct mp_pairs host;
static char told[64 * LINE]; /* of the packet that is read, a line each */
static size_t told_n;

static void tell_line(const char *line)
{
    size_t n = strlen(line);
    cr_assert_lt(told_n + n + 1, sizeof told);
    memcpy(told + told_n, line, n + 1);
    told_n += n;
}

static void hear_pair(void *user, const struct mp_pair *pair)
{
    char line[LINE];
    snprintf(line, sizeof line, "call %u %X %" PRIu64 " %" PRIu64 " %u %s\n", pair->context, pair->function,
             pair->start, pair->end, pair->depth, pair->is_whole ? "whole" : "part");
    tell_line(line);
}

static void hear_loss(void *user, const struct mp_loss *loss)
{
    char line[LINE];
    if (loss->is_gap)
        snprintf(line, sizeof line, "lost %u %" PRIu64 " %" PRIu64 " in %u\n", loss->lost, loss->from,
                 loss->to, loss->context);
    else
        snprintf(line, sizeof line, "lost %u %" PRIu64 " %" PRIu64 "\n", loss->lost, loss->from, loss->to);
    tell_line(line);
}

static void open_host(void)
{
    host = (struct mp_pairs){.call = hear_pair, .loss = hear_loss};
    program_open_host(&host, PROGRAM_CONTEXTS);
}

/* Reads the payload's calls and losses into `told`. */
static void read_packet(const uint8_t *payload, size_t n)
{
    told_n = 0;
    told[0] = 0;
    mp_pairs_packet(&host, payload, n);
}

/* ---- making them ---- */

static struct {
    uint8_t payload[PROGRAM_PAYLOAD];
    uint16_t size;
} sent[SENT_MOST];
static uint32_t n_sent;
static uint8_t run;

static void send_packet(uint32_t i)
{
    if (n_sent == SENT_MOST)
        return;
    sent[n_sent].size = program.packets[i].size;
    memcpy(sent[n_sent].payload, program.packets[i].payload, program.packets[i].size);
    sent[n_sent].payload[5] = (uint8_t)(run << 4 | (sent[n_sent].payload[5] & 15));
    n_sent++;
}

/* Adds the packets of a program that has every source of doubt, at most half of the wanted number. */
static void add_run(struct test_random *random)
{
    do
        program_run_at(test_random_next(random), 0x08000100);
    while (!program.has_gaps || !program.has_tasks || !program.may_jump || program.is_window);
    uint32_t before = n_sent;
    run++;
    program_send_lossy(12, send_packet);
    if (n_sent > before + PACKETS / 2)
        n_sent = before + PACKETS / 2;
}

static void make(FILE *out)
{
    struct test_random random = {.state = 1};
    fputs("# Payloads of version 2 (10), in the order in which they came over a bad line, and what a reader "
          "finds in each (10.6): lines\n"
          "#   call CONTEXT FUNCTION START END DEPTH whole|part    a call that has ended; part: what it "
          "called may be missing\n"
          "#   lost EVENTS FROM TO [in CONTEXT]                    events that are missing; of a gap, in "
          "that context\n"
          "# Times are widened to 64 bits, and go on from one run to the next.\n",
          out);
    while (n_sent < PACKETS)
        add_run(&random);
    open_host();
    for (uint32_t i = 0; i < PACKETS; i++) {
        for (uint16_t k = 0; k < sent[i].size; k++)
            fprintf(out, "%s%02X", k ? " " : "", sent[i].payload[k]);
        read_packet(sent[i].payload, sent[i].size);
        fprintf(out, "\n%s", told);
    }
}

/* ---- holding to them ---- */

static size_t read_hex(const char *line, uint8_t *payload)
{
    size_t n = 0;
    for (char *end; n < PROGRAM_PAYLOAD && *line && *line != '\n'; line = *end == ' ' ? end + 1 : end)
        payload[n++] = (uint8_t)strtoul(line, &end, 16);
    return n;
}

static bool is_told(const char *line)
{
    return !strncmp(line, "call ", 5) || !strncmp(line, "lost ", 5);
}

Test(vectors, a_hundred_packets_give_the_listed_calls_and_losses)
{
    const char *make_them = getenv("MAKE_VECTORS");
    FILE *file = fopen(make_them ? make_them : getenv("PROTOCOL_VECTORS"), make_them ? "w+" : "r");
    cr_assert_not_null(file, "PROTOCOL_VECTORS names no file");
    if (make_them) {
        make(file);
        rewind(file);
    }
    char line[LINE], wanted[sizeof told];
    uint8_t payload[PROGRAM_PAYLOAD];
    size_t n = 0, wanted_n = 0;
    uint32_t packets = 0, calls = 0;

    open_host();
    while (fgets(line, sizeof line, file)) {
        if (*line == '#')
            continue;
        if (is_told(line)) {
            calls += *line == 'c';
            memcpy(wanted + wanted_n, line, strlen(line) + 1);
            wanted_n += strlen(line);
            continue;
        }
        cr_assert(!packets || !strcmp(told, wanted), "packet %u says\n%s, listed is\n%s", packets, told,
                  wanted);
        n = read_hex(line, payload);
        read_packet(payload, n);
        packets++;
        wanted_n = 0;
        wanted[0] = 0;
    }
    cr_assert_str_eq(told, wanted, "the last packet");
    cr_assert_eq(packets, PACKETS);
    cr_assert_gt(calls, 5 * PACKETS);
    fclose(file);
}
