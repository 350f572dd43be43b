/* run_example.c - runs the example, on this machine or in an emulator, as a host would, and checks every
 * record against counts.h.
 *
 *     run_example [OPTION]... ROUNDS ELF COMMAND [ARGUMENT]...
 *
 * The command's standard input and output are the link. An argument SOCKET is replaced by a free path
 * for the time of the run. Exit status: 0 right, 1 wrong (with errors on standard error), 77 when the
 * command is not installed. Options:
 *
 *     --announced   the first line that the command prints says where the link is
 *     --preset      the firmware was built to run ROUNDS, it needs no command
 *     --paced       the firmware runs for ever; it is stopped in the middle, after ROUNDS or more
 *     --v2          in version 2 of PROFILE_DATA; --v3 in version 3, --v3 --flat in its flat form
 *     --small       it has the smallest agent, which sends version 2 only, without contexts for interrupts and
 *                   without build id
 *     --storm       its process is interrupted continuously and anywhere, by its interrupt's signal */
#include "edges.h"
#include "elf_symbols.h"
#include "example/counts.h"
#include "example_tree.h"
#include "mpt.h"
#include "protocol/call_pairs.h"
#include "protocol/tree.h"
#include "target.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    STORM_BYTES = 200, /* from one interrupt to the next */
    STORM_BACKLOG = 2048,
    MAX_DEPTH = 32,
    MAX_WAITING = 64,
    CONFIG_ROUNDS = MPT_CONFIG_APPLICATION
};

static struct {
    uint32_t records;
    uint32_t rounds; /* records of control_cycle: each is the last of its round */
    uint64_t cycle_address;
    bool is_storming;
    uint8_t version; /* that START asks for */
    bool is_flat;
    bool is_small;
    struct mp_pairs pairs;
    uint32_t interrupts; /* records in interrupts, which version 2 distinguishes */
    struct mp_metadata metadata;
    struct mp_status status;
    /* Finished calls whose caller is still running, by depth. The next call at the depth above is their
     * caller. */
    struct mp_record waiting[MAX_DEPTH + 1][MAX_WAITING];
    size_t n_waiting[MAX_DEPTH + 1];
    struct edges edges;
} host;

static char directory[] = "/tmp/run_example.XXXXXX";
static char socket_path[sizeof directory + 8];

static void remove_directory(void)
{
    unlink(socket_path);
    rmdir(directory);
}

static void replace_socket(char **arguments)
{
    for (; *arguments; arguments++) {
        if (strcmp(*arguments, "SOCKET") != 0)
            continue;
        require(mkdtemp(directory) != NULL, "no temporary directory");
        snprintf(socket_path, sizeof socket_path, "%s/socket", directory);
        atexit(remove_directory);
        *arguments = socket_path;
    }
}

/* `tcp:127.0.0.1:PORT`, `unix:PATH`, or the path of a tty. */
static int connect_to(const char *address)
{
    struct sockaddr_in tcp = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    int fd;

    if (!strncmp(address, "tcp:127.0.0.1:", 14)) {
        tcp.sin_port = htons((uint16_t)atoi(address + 14));
        fd = socket(AF_INET, SOCK_STREAM, 0);
        require(!connect(fd, (struct sockaddr *)&tcp, sizeof tcp), "no connection to the announced port");
    } else if (!strncmp(address, "unix:", 5)) {
        require(strlen(address + 5) < sizeof local.sun_path, "the announced path is too long");
        memcpy(local.sun_path, address + 5, strlen(address + 5) + 1);
        fd = socket(AF_UNIX, SOCK_STREAM, 0);
        require(!connect(fd, (struct sockaddr *)&local, sizeof local),
                "no connection to the announced socket");
    } else {
        fd = open(address, O_RDWR | O_NOCTTY);
        require(fd >= 0, "the announced tty cannot be opened");
    }
    return fd;
}

/* True when the link kept bytes sent before we connected: a tty does, a socket does not. */
static bool follow_announcement(void)
{
    char line[256];
    size_t n = 0;

    while (n < sizeof line - 1 && read(target.link, line + n, 1) == 1 && line[n] != '\n')
        n++;
    line[n] = '\0';
    /* The descriptor stays open: it is the example's standard output. */
    target.link = connect_to(line);
    return line[0] == '/';
}

static void hear_record(const struct mp_record *record)
{
    uint32_t end = record->start + record->duration;
    uint32_t free_until = end;

    require(record->depth < MAX_DEPTH, "a record deeper than the workload goes");
    size_t *n_callees = &host.n_waiting[record->depth + 1];

    while ((*n_callees)--) {
        const struct mp_record *callee = &host.waiting[record->depth + 1][*n_callees];
        require((int32_t)(callee->start - record->start) >= 0, "a callee begins before its caller");
        require((int32_t)(callee->start + callee->duration - free_until) <= 0,
                "a callee overlaps what follows it");
        free_until = callee->start;
        edges_count(&host.edges, record->address, callee->address);
    }
    *n_callees = 0;
    for (size_t deeper = record->depth + 2u; deeper <= MAX_DEPTH; deeper++)
        require(!host.n_waiting[deeper], "a call without its caller");

    /* main never returns: its callees are the outermost that are reported, one deeper than it. */
    if (record->depth == 1)
        edges_count(&host.edges, 0, record->address);
    else
        require(record->depth > 1 && host.n_waiting[record->depth] < MAX_WAITING,
                "a record where none can be");
    if (record->depth > 1)
        host.waiting[record->depth][host.n_waiting[record->depth]++] = *record;
    host.records++;
    host.rounds += record->address == host.cycle_address;
}

/* A call of version 2. Interrupts have their own stack there; the ignored edges belong to it. */
static void hear_pair(void *user, const struct mp_pair *pair)
{
    struct mp_record record = {pair->function, (uint32_t)pair->start, (uint32_t)(pair->end - pair->start),
                               (uint16_t)pair->depth};

    require(pair->is_whole, "a call that is not whole");
    if (!MP_CONTEXT_IS_INTERRUPT(pair->context)) {
        hear_record(&record);
        return;
    }
    host.interrupts++;
    host.records++;
}

static void open_pairs(void)
{
    static struct mp_followed followed[4];
    static struct mp_pairs_context contexts[4];
    static uint32_t functions[4][MAX_DEPTH];
    static uint64_t starts[4][MAX_DEPTH];

    for (size_t i = 0; i < 4; i++) {
        followed[i] = (struct mp_followed){.stack = {.function = functions[i], .room = MAX_DEPTH}};
        contexts[i] = (struct mp_pairs_context){.start = starts[i]};
    }
    host.pairs.call = hear_pair;
    mp_pairs_init(&host.pairs, followed, contexts, 4);
}

static void hear_profile_data(const struct mp_frame *frame)
{
    struct mp_profile_head head;

    require(frame->length && frame->payload[0] == host.version, "nobody asked for that version");
    if (host.version == MP_PROFILE_DATA_V3) {
        const char *wrong = example_tree_packet(frame->payload, frame->length);

        require(!wrong, wrong);
        host.rounds = example_tree_calls_of(host.cycle_address);
        host.records = example_tree_calls();
        return;
    }
    if (host.version == MP_PROFILE_DATA_V2) {
        mp_pairs_packet(&host.pairs, frame->payload, frame->length);
        return;
    }
    require(mp_profile_head_decode(&head, frame->payload, frame->length) &&
                head.version == MP_PROFILE_DATA_V1 &&
                frame->length == MP_PROFILE_DATA_HEAD + head.record_count * MP_RECORD_SIZE,
            "malformed PROFILE_DATA");
    for (size_t i = 0; i < head.record_count; i++) {
        struct mp_record record =
            mp_record_decode(frame->payload + MP_PROFILE_DATA_HEAD + i * MP_RECORD_SIZE);
        hear_record(&record);
    }
}

/* The storm follows the link's pace, which stops during a round, so that it cannot fill the ring. */
static void blow(ssize_t bytes_read)
{
    static ssize_t since_interrupt;

    since_interrupt += bytes_read;
    if (host.is_storming && since_interrupt >= STORM_BYTES) {
        kill(target.process, SIGUSR1);
        since_interrupt = 0;
    }
}

/* Returns the type of the next packet other than PROFILE_DATA, whose records are read on the way; 0 as soon as that
 * many rounds and records were received. */
static uint8_t hear(uint32_t rounds, uint32_t records)
{
    struct mp_frame frame;

    for (;;) {
        if (host.rounds >= rounds && host.records >= records)
            return 0;
        target_hear(&frame);
        switch (frame.type) {
        case MP_PROFILE_DATA: hear_profile_data(&frame); break;
        case MP_METADATA:
            require(mp_metadata_decode(&host.metadata, frame.payload, frame.length), "malformed METADATA");
            return frame.type;
        case MP_STATUS:
            require(mp_status_decode(&host.status, frame.payload, frame.length), "malformed STATUS");
            return frame.type;
        default: return frame.type;
        }
    }
}

static void command(uint8_t code, uint8_t length, const uint8_t *payload, uint8_t answer, const char *what)
{
    target_command(code, length, payload);
    require(hear(UINT32_MAX, 0) == answer, what);
}

static void check_metadata(const struct elf_symbols *symbols)
{
    require(host.metadata.timer_hz == 1000000 || host.is_small, "times are not in microseconds");
    require(!memcmp(host.metadata.fw_version, "motor-demo 1.0\0", 16), "another firmware");
    require(host.metadata.elf_build_id == (host.is_small ? 0 : symbols->text_crc),
            "the build id is not the CRC-32 of the ELF's .text");
}

static void check_status(bool is_profiling)
{
    command(MP_GET_STATUS, 0, NULL, MP_STATUS, "no STATUS");
    require(host.status.is_profiling == is_profiling, "profiling is not as it was commanded");
    require(host.status.buffer_overflows == 0, "records were dropped");
}

/* Sends a host's first commands to a target, with wrong ones between them. */
static void shake_hands(const struct elf_symbols *symbols)
{
    command(MP_GET_METADATA, 0, NULL, MP_METADATA, "no METADATA");
    check_metadata(symbols);
    command(0x42, 0, NULL, MP_NACK, "an unknown command is not refused");
    command(MP_SET_CONFIG, 5, (const uint8_t[]){0x7F, 1, 0, 0, 0}, MP_NACK,
            "an unknown setting is not refused");
    command(MP_RESET_BUFFERS, 0, NULL, host.is_small ? MP_NACK : MP_ACK, "RESET_BUFFERS has another answer");
}

static void tell_rounds(uint32_t rounds)
{
    target_configure(CONFIG_ROUNDS, rounds);
    require(hear(UINT32_MAX, 0) == MP_ACK, "the number of rounds is refused");
}

static void profile(uint32_t rounds, bool is_paced, bool is_storm)
{
    command(MP_START, host.version == MP_PROFILE_DATA_V1 ? 0 : 1 + host.is_flat,
            (const uint8_t[]){host.version, MP_TREE_WANT_FLAT}, MP_ACK, "START is refused");
    host.is_storming = is_storm;
    require(hear(rounds, 0) == 0, "an unexpected packet");
    host.is_storming = false;
    check_status(true);
    command(MP_STOP, 0, NULL, MP_ACK, "STOP is refused");
    check_status(false);
    require(hear(0, host.status.records_captured) == 0, "an unexpected packet");
    check_status(false);
    require(host.records == host.status.records_captured, "more records than captured");
    require(host.version != MP_PROFILE_DATA_V2 ||
                (host.pairs.follower.counters.packets && !host.pairs.follower.counters.malformed &&
                 !host.pairs.follower.counters.lost_in_packets &&
                 !host.pairs.follower.counters.lost_in_gaps && !host.pairs.follower.counters.late &&
                 !host.pairs.follower.counters.other_depths),
            "version 2 was not all there");
    require(is_paced || host.rounds == rounds, "more rounds than asked for");
    require(is_storm || host.records == host.rounds * EXAMPLE_CALLS_PER_ROUND,
            "not the records of whole rounds");
    require(!is_storm || host.records > host.rounds * EXAMPLE_CALLS_PER_ROUND, "the storm was not felt");
}

static uint64_t address_of(const struct elf_symbols *symbols, const char *name)
{
    size_t i = 0;

    while (i < symbols->n && strcmp(symbols->function[i].name, name) != 0)
        i++;
    require(i < symbols->n, "the ELF is not the example's");
    return symbols->function[i].address;
}

int main(int argc, char **argv)
{
    bool announced = false, preset = false, paced = false, storm = false;
    char **argument = argv + 1;

    for (; *argument && !strncmp(*argument, "--", 2); argument++) {
        announced |= !strcmp(*argument, "--announced");
        preset |= !strcmp(*argument, "--preset");
        host.is_flat |= !strcmp(*argument, "--flat");
        host.is_small |= !strcmp(*argument, "--small");
        paced |= !strcmp(*argument, "--paced");
        storm |= !strcmp(*argument, "--storm");
        if (!strncmp(*argument, "--v", 3))
            host.version = (uint8_t)atoi(*argument + 3);
    }
    if (argv + argc - argument < 3) {
        fprintf(stderr, "usage: run_example [OPTION]... ROUNDS ELF COMMAND [ARGUMENT]...\n");
        return 2;
    }
    uint32_t rounds = (uint32_t)strtoul(argument[0], NULL, 10);
    struct elf_symbols symbols = elf_symbols_read(argument[1]);

    host.cycle_address = address_of(&symbols, "control_cycle");
    replace_socket(argument + 2);
    open_pairs();
    example_tree_open();
    if (!host.version)
        host.version = host.is_small ? MP_PROFILE_DATA_V2 : MP_PROFILE_DATA_V1;
    target.on_bytes = blow;
    target_start(argument + 2, storm ? STORM_BACKLOG : 0);
    if (!announced || follow_announcement())
        require(hear(UINT32_MAX, 0) == MP_METADATA, "the example does not begin with METADATA");
    shake_hands(&symbols);
    if (!preset && !paced)
        tell_rounds(rounds);
    profile(rounds, paced, storm);
    require(!target.reader.counters.bytes_skipped && !target.reader.counters.crc_errors, "damaged packets");
    require(target.reader.variant == MP_VARIANT_AA55_FFFF, "another variant of the protocol");

    if (host.version == MP_PROFILE_DATA_V3)
        host.interrupts = example_tree_edges(&host.edges, address_of(&symbols, "main"));
    bool ok = edges_match(&host.edges, &symbols, host.rounds, false,
                          storm || host.interrupts ? "ADC_IRQHandler" : NULL);

    elf_symbols_free(&symbols);
    target_stop();
    if (ok)
        printf("%u rounds, %u calls, %zu caller and callee pairs: all as in counts.h\n", host.rounds,
               host.records, host.edges.n);
    return ok ? 0 : 1;
}
