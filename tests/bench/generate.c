/* generate.c - bench-generate: writes the capture of a simulated program, and an ELF that names its functions.
 *
 *     bench-generate --calls 1e6 --output run.bin --elf run.elf
 *     miniprofd --port file:run.bin --elf run.elf
 *
 * Captures are generated while they are written, so that any length can be sent through a pipe. */
#include "bench/program.h"
#include "bench/uftrace_dir.h"
#include "protocol/bytes.h"
#include "protocol/crc16.h"
#include "protocol/frame.h"
#include "protocol/packet.h"
#include "support/elf_writer.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    CODE_START = 0x08000000,
    FUNCTION_BYTES = 64,
    RECORDS_MOST = 4096,
    STATUS_EVERY = 50000,
    OUTPUT = 1 << 16
};

struct options {
    struct program_shape shape;
    uint64_t calls;
    uint32_t records; /* in a packet */
    uint32_t running; /* outermost levels that never return */
    uint32_t tick_hz;
    double bytes_per_second; /* 0: no limit */
    const char *output, *elf, *uftrace;
};

static const char usage[] =
    "Usage: bench-generate [OPTION]...\n"
    "Writes a MiniProfiler capture of a made-up program.\n"
    "  --calls N         finished calls, default 1e6\n"
    "  --functions N     default 200\n"
    "  --depth N         levels of calls, default 12\n"
    "  --nodes N         distinct stacks, default 20000; short captures do not meet all\n"
    "  --records N       calls in a packet, default 20\n"
    "  --running N       outermost functions that never return, default 1, as main() does not\n"
    "  --tick-hz N       timer's rate in METADATA, default 1000000; others need --dialect-opt "
    "time_unit=ticks\n"
    "  --rate N          bytes per second, default as fast as can be\n"
    "  --seed N          default 1\n"
    "  --output FILE     default standard output\n"
    "  --elf FILE        also writes an ELF with the functions' names\n"
    "  --uftrace DIR     also writes the calls as uftrace would have recorded them\n";

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "bench-generate: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- names ---- */

static void name_of(uint32_t function, char *out, size_t size)
{
    static const char *const nouns[] = {"adc",    "can", "motor", "pid", "uart",
                                        "filter", "log", "nvm",   "pwm", "queue"};
    static const char *const verbs[] = {"read", "update", "send", "check", "poll", "apply", "store", "start"};
    uint32_t noun = function % 10, verb = function / 10 % 8;
    if (function < 80)
        snprintf(out, size, "%s_%s", nouns[noun], verbs[verb]);
    else
        snprintf(out, size, "%s_%s_%u", nouns[noun], verbs[verb], function / 80);
}

static void write_elf(const char *path, uint32_t functions)
{
    struct elf_writer writer;
    elf_writer_init(&writer, 4, false, EM_ARM);
    unsigned code = elf_writer_code(&writer, ".text", CODE_START, (size_t)functions * FUNCTION_BYTES);
    for (uint32_t i = 0; i < functions; i++) {
        char name[64];
        name_of(i, name, sizeof name);
        elf_writer_symbol(&writer, name, (CODE_START + i * FUNCTION_BYTES) | 1, FUNCTION_BYTES, STB_GLOBAL,
                          STT_FUNC, code);
    }
    size_t n;
    uint8_t *bytes = elf_writer_finish(&writer, &n);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
        fail(path);
    free(bytes);
}

/* ---- the capture ---- */

struct capture {
    int fd;
    const char *path;
    size_t n;
    uint8_t bytes[OUTPUT];
    double bytes_per_second;
    uint64_t written;
    struct timespec began;
};

static double seconds_since(const struct timespec *began)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - began->tv_sec) + 1e-9 * (double)(now.tv_nsec - began->tv_nsec);
}

static void capture_flush(struct capture *capture)
{
    for (size_t at = 0; at < capture->n;) {
        ssize_t n = write(capture->fd, capture->bytes + at, capture->n - at);
        if (n < 0 && errno == EPIPE)
            exit(0); /* the reader has closed the pipe */
        if (n < 0)
            fail(capture->path);
        at += (size_t)n;
    }
    capture->written += capture->n;
    capture->n = 0;
    if (capture->bytes_per_second <= 0)
        return;
    double ahead = (double)capture->written / capture->bytes_per_second - seconds_since(&capture->began);
    if (ahead > 0.002)
        nanosleep(&(struct timespec){(time_t)ahead, (long)((ahead - (double)(time_t)ahead) * 1e9)}, NULL);
}

/* Begins a packet and returns room for `payload` bytes. */
static uint8_t *capture_begin(struct capture *capture, uint8_t type, size_t payload)
{
    /* A paced stream is written in pieces about as small as those of a UART's driver. */
    if (capture->n + payload + MP_FRAME_OVERHEAD > OUTPUT ||
        (capture->bytes_per_second > 0 && (double)capture->n > capture->bytes_per_second / 500))
        capture_flush(capture);
    uint8_t *p = capture->bytes + capture->n;
    p[0] = MP_FRAME_HEADER_0;
    p[1] = MP_FRAME_HEADER_1;
    p[2] = type;
    mp_store_u16(p + 3, (uint16_t)payload);
    return p + MP_FRAME_HEAD;
}

static void capture_end(struct capture *capture, size_t payload)
{
    uint8_t *body = capture->bytes + capture->n + 2;
    size_t n = MP_FRAME_HEAD - 2 + payload;
    mp_store_u16(body + n, mp_crc16_fast(MP_FRAME_CRC_DOCUMENT, body, n));
    body[n + 2] = MP_FRAME_END;
    capture->n += payload + MP_FRAME_OVERHEAD;
}

static void write_metadata(struct capture *capture, const struct options *options)
{
    mp_metadata_encode(
        &(struct mp_metadata){.mcu_clock_hz = 168000000, .timer_hz = options->tick_hz, .fw_version = "bench"},
        capture_begin(capture, MP_METADATA, MP_METADATA_SIZE));
    capture_end(capture, MP_METADATA_SIZE);
}

/* Writes the STATUS of a target that has lost nothing and has nothing left to send. */
static void write_status(struct capture *capture, uint64_t calls)
{
    mp_status_encode(&(struct mp_status){.is_profiling = 1, .records_captured = (uint32_t)calls},
                     capture_begin(capture, MP_STATUS, MP_STATUS_SIZE));
    capture_end(capture, MP_STATUS_SIZE);
}

static void write_calls(struct capture *capture, const struct options *options, struct program *program,
                        struct uftrace_dir *uftrace)
{
    uint64_t left = options->calls, until_status = 0;
    while (left) {
        if (until_status < options->records) { /* about once a second, as requested by a host */
            write_status(capture, options->calls - left);
            until_status = STATUS_EVERY;
        }
        uint32_t n = left < options->records ? (uint32_t)left : options->records;
        size_t payload = MP_PROFILE_DATA_HEAD + (size_t)n * MP_RECORD_SIZE;
        uint8_t *p = capture_begin(capture, MP_PROFILE_DATA, payload);
        mp_profile_head_encode(&(struct mp_profile_head){MP_PROFILE_DATA_V1, (uint16_t)n}, p);
        p += MP_PROFILE_DATA_HEAD;
        for (uint32_t i = 0; i < n;) {
            struct program_step step;
            program_step(program, &step);
            if (uftrace)
                uftrace_dir_add(uftrace, &step);
            if (step.enter)
                continue;
            mp_record_encode(&(struct mp_record){.address = (CODE_START + step.function * FUNCTION_BYTES) | 1,
                                                 .start = (uint32_t)step.start_ticks,
                                                 .duration = (uint32_t)(step.ticks - step.start_ticks),
                                                 .depth = (uint16_t)(step.depth + options->running)},
                             p);
            p += MP_RECORD_SIZE;
            i++;
        }
        capture_end(capture, payload);
        left -= n;
        until_status -= until_status < n ? until_status : n;
    }
    write_status(capture, options->calls);
}

/* ---- the command line ---- */

static _Noreturn void refuse(const char *why)
{
    fprintf(stderr, "bench-generate: %s\n%s", why, usage);
    exit(2);
}

static uint64_t number(const char *text, uint64_t least, uint64_t most)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= (double)least && value <= (double)most))
        refuse("a number is out of range");
    return (uint64_t)value;
}

static struct options read_options(int argc, char **argv)
{
    static const struct option known[] = {
        {"calls", 1, 0, 'c'},   {"functions", 1, 0, 'f'},
        {"depth", 1, 0, 'd'},   {"nodes", 1, 0, 'n'},
        {"records", 1, 0, 'r'}, {"running", 1, 0, 'm'},
        {"tick-hz", 1, 0, 't'}, {"rate", 1, 0, 'b'},
        {"seed", 1, 0, 's'},    {"output", 1, 0, 'o'},
        {"elf", 1, 0, 'e'},     {"uftrace", 1, 0, 'u'},
        {"help", 0, 0, 'h'},    {0},
    };
    struct options options = {
        .shape = {.functions = 200, .depth = 12, .nodes = 20000, .seed = 1},
        .calls = 1000000,
        .records = 20,
        .running = 1,
        .tick_hz = 1000000,
    };
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (option) {
        case 'c': options.calls = number(optarg, 0, UINT64_C(1) << 53); break;
        case 'f': options.shape.functions = (uint32_t)number(optarg, 1, 1 << 20); break;
        case 'd': options.shape.depth = (uint32_t)number(optarg, 1, PROGRAM_DEPTH_MAX); break;
        case 'n': options.shape.nodes = (uint32_t)number(optarg, 1, 1 << 26); break;
        case 'r': options.records = (uint32_t)number(optarg, 1, RECORDS_MOST); break;
        case 'm': options.running = (uint32_t)number(optarg, 0, PROGRAM_DEPTH_MAX); break;
        case 't': options.tick_hz = (uint32_t)number(optarg, 1, UINT32_MAX); break;
        case 'b': options.bytes_per_second = (double)number(optarg, 1, UINT32_MAX); break;
        case 's': options.shape.seed = number(optarg, 0, UINT64_C(1) << 53); break;
        case 'o': options.output = optarg; break;
        case 'e': options.elf = optarg; break;
        case 'u': options.uftrace = optarg; break;
        case 'h': fputs(usage, stdout); exit(0);
        default: refuse("this option is not known");
        }
    }
    if (optind < argc)
        refuse("only options are taken");
    if (options.shape.nodes < options.shape.depth)
        refuse("there must be as many nodes as levels");
    return options;
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv);
    if (options.elf)
        write_elf(options.elf, options.shape.functions);
    static struct capture capture = {.fd = STDOUT_FILENO, .path = "standard output"};
    capture.bytes_per_second = options.bytes_per_second;
    clock_gettime(CLOCK_MONOTONIC, &capture.began);
    if (options.output) {
        FILE *file = fopen(options.output, "wb");
        if (!file)
            fail(options.output);
        capture.fd = fileno(file);
        capture.path = options.output;
    }
    struct program program;
    if (!program_init(&program, &options.shape))
        fail("memory");
    write_metadata(&capture, &options);
    struct uftrace_dir uftrace = {0};
    if (options.uftrace && !uftrace_dir_open(&uftrace, options.uftrace, options.shape.functions, name_of))
        fail(options.uftrace);
    write_calls(&capture, &options, &program, options.uftrace ? &uftrace : NULL);
    if (options.uftrace && !uftrace_dir_close(&uftrace))
        fail(options.uftrace);
    capture_flush(&capture);
    program_fini(&program);
    return 0;
}
