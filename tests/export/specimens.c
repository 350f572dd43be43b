/* specimens.c - writes artificial profiles in every format, for the tools that read these formats.
 *
 * usage: specimens DIRECTORY. Makes DIRECTORY/<specimen>.<format id>; the readers' tests compare a tool's reading
 * of a file with <specimen>.json. */
#include "export/export.h"
#include "profile/profile.h"
#include "support/calls.h"
#include "support/elf_writer.h"
#include "symbol/symtab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of functions as in firmware, and difficult ones. */
static const char *const plain_names[CALLS_FUNCTIONS] = {
    "main",         "scheduler_run", "imu_read",
    "i2c_transfer", "fusion_update", "std::vector<float, std::allocator<float> >::push_back(float&&)",
    "crc16_update", "uart_write",    "tcp_output",
    "ring_put",     "memcpy",        "log_printf",
};

static char template_name[10001];

static const char *const nasty_names[CALLS_FUNCTIONS] = {
    template_name,
    "semi;colon;42 17",
    "\"quoted\" 'twice' \\back\\slash\\n",
    "</script><script>alert(1)</script><!-- ]]> &amp; &lt;",
    "control \x01\x02\x1b[31m\x7f and\nnew line\ttab\r",
    "\xEF\xBF\xBD broken \xEF\xBF\xBF no character",
    "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E \xF0\x9F\x94\xA5",
    "(1) fn=(2) calls=3 4",
    "%s%n{label=\"x\"} # HELP",
    "=cmd|'/c calc'!A1",
    "[depth 0 running]",
    "[depth 0 running]",
};

struct specimen {
    const char *name;
    const char *const *names;
    uint64_t ticks_per_second;
    size_t calls;
    uint16_t depth, endless;
    unsigned shift;   /* all ticks times 2^shift */
    bool two_threads; /* every other outermost call is of another context */
};

static const struct specimen specimens[] = {
    {"plain", plain_names, 1000000, 3000, 8, 2, 0, false},  {"threads", plain_names, 0, 1000, 3, 0, 0, true},
    {"nasty", nasty_names, 168000000, 400, 5, 1, 0, false}, {"huge", plain_names, 0, 300, 5, 0, 46, false},
    {"empty", plain_names, 1000000, 0, 1, 0, 0, false},
};

static void make_template_name(void)
{
    size_t at = 0;
    while (at + 32 < sizeof template_name)
        at += (size_t)snprintf(template_name + at, sizeof template_name - at, "Tpl%zu<int, std::pair<", at);
    memset(template_name + at, '>', sizeof template_name - 1 - at);
}

/* The snapshot with the specimen's names, places and contexts in place of bare addresses. */
static struct snapshot dressed(const struct specimen *specimen, const struct snapshot *snapshot,
                               struct snapshot_function *functions, struct snapshot_node *nodes)
{
    static const char *const files[] = {"src/app/main.c", "src/drivers/i2c.c", "src/net & more/\"tcp\".c"};
    static const struct snapshot_context contexts[] = {
        {.name = "main", .kind = "thread", .has_times = true, .running_ticks = 900, .preempted_ticks = 40},
        {.name = "TIM2 <isr> & \"co\"", .kind = "isr", .has_times = true, .running_ticks = 100}};
    for (uint32_t id = 0; id < snapshot->function_count; id++) {
        functions[id] = snapshot->functions[id];
        for (uint32_t i = 0; i < CALLS_FUNCTIONS; i++) {
            if (!functions[id].has_address || functions[id].address != calls_address(i))
                continue;
            functions[id].name = functions[id].raw_name = specimen->names[i];
            functions[id].size = 0x40;
            if (i % 4 == 3)
                continue; /* of an assembler file without line information */
            functions[id].file = files[i % 3];
            functions[id].line = 10 * i + 7;
        }
    }
    struct snapshot out = *snapshot;
    uint32_t outermost = 0;
    for (uint32_t node = 0; node < snapshot->node_count; node++) {
        nodes[node] = snapshot->nodes[node];
        if (specimen->two_threads && nodes[node].parent == 0)
            nodes[node].context = (uint16_t)(outermost++ % 2);
        else if (nodes[node].parent > 0)
            nodes[node].context = nodes[nodes[node].parent].context;
    }
    out.functions = functions;
    out.nodes = nodes;
    if (specimen->two_threads) {
        out.contexts = contexts;
        out.context_count = 2;
    }
    return out;
}

/* Writes it in every possible format. */
static bool write_all(const char *directory, const char *name, const struct snapshot *snapshot)
{
    for (size_t i = 0; exporter_registry[i]; i++) {
        char path[4096];
        struct error err = {0};
        if (!exporter_can(exporter_registry[i], snapshot, &err))
            continue;
        snprintf(path, sizeof path, "%s/%s.%s", directory, name, exporter_registry[i]->id);
        if (!export_to_path(exporter_registry[i], snapshot, path, &err)) {
            fprintf(stderr, "%s\n", err.text);
            return false;
        }
    }
    return true;
}

static bool write_specimen(const char *directory, const struct specimen *specimen)
{
    struct test_random random = {specimen->calls + 7};
    struct calls calls;
    calls_make(&calls, &random, specimen->calls, specimen->depth, false, specimen->endless);
    for (size_t i = 0; i < calls.n; i++) {
        calls.events[i].ticks <<= specimen->shift;
        calls.events[i].call.duration <<= specimen->shift;
    }
    struct profile *profile = profile_new(NULL);
    profile_apply(profile, calls.events, calls.n);
    profile_finish(profile);
    static const struct snapshot_source source = {
        .port = "file:a \"capture\" & more.bin",
        .dialect = "miniprof",
        .provides = PROVIDES_TREE | PROVIDES_TIMELINE,
        .elf_state = ELF_OK,
        .elf_path = "build/firmware.elf",
        .elf_name = "build/firmware.elf",
        .elf_count = 1,
    };
    struct snapshot_target target = {.has_metadata = true,
                                     .fw_version = "v1.2",
                                     .elf_build_id = 0xdeadbeef,
                                     .ticks_per_second = specimen->ticks_per_second};
    struct snapshot *snapshot = profile_freeze(profile, &source, &target, &(struct snapshot_link){0});
    struct snapshot_function *functions = calloc(snapshot->function_count + 1, sizeof *functions);
    struct snapshot_node *nodes = calloc(snapshot->node_count, sizeof *nodes);
    struct snapshot shown = dressed(specimen, snapshot, functions, nodes);
    shown.captured_at_wall_ns = 1700000000123456789u;

    bool good = write_all(directory, specimen->name, &shown);
    free(nodes);
    free(functions);
    snapshot_unref(snapshot);
    profile_free(profile);
    calls_free(&calls);
    return good;
}

/* Samples and arcs of a program for a machine of that kind, and the program itself, whose functions lie in
 * flash and far away in RAM. */
struct sampled {
    const char *name;
    unsigned word_size; /* bytes */
    bool big_endian;
    uint16_t machine;
    uint32_t hz;
};

static const struct sampled sampled_specimens[] = {
    {"sampled32", 4, false, EM_ARM, 1000},
    {"sampled32be", 4, true, EM_ARM, 100},
    {"sampled64", 8, false, EM_X86_64, 1000},
};

enum { FLASH = 0x08000000, RAM = 0x100, STEP = 0x40, FLASH_FUNCTIONS = 8 };

static uint64_t sampled_address(uint32_t function)
{
    return function < FLASH_FUNCTIONS ? FLASH + function * STEP : RAM + (function - FLASH_FUNCTIONS) * STEP;
}

static uint8_t *make_program(const struct sampled *sampled, size_t *n)
{
    static const char *const names[CALLS_FUNCTIONS] = {"main", "run",  "read",  "wait",  "update", "push",
                                                       "crc",  "send", "ram_a", "ram_b", "ram_c",  "ram_d"};
    struct elf_writer writer;
    elf_writer_init(&writer, sampled->word_size, sampled->big_endian, sampled->machine);
    unsigned flash = elf_writer_code(&writer, ".text", FLASH, FLASH_FUNCTIONS * STEP);
    unsigned ram = elf_writer_code(&writer, ".ramtext", RAM, (CALLS_FUNCTIONS - FLASH_FUNCTIONS) * STEP);
    for (uint32_t i = 0; i < CALLS_FUNCTIONS; i++)
        elf_writer_symbol(&writer, names[i], sampled_address(i), STEP, STB_GLOBAL, STT_FUNC,
                          i < FLASH_FUNCTIONS ? flash : ram);
    return elf_writer_finish(&writer, n);
}

static void add_samples(struct profile *profile)
{
    struct test_random random = {11};
    for (int i = 0; i < 5000; i++) {
        uint64_t address = sampled_address((uint32_t)test_random_below(&random, CALLS_FUNCTIONS)) +
                           2 * test_random_below(&random, STEP / 2);
        profile_apply(profile,
                      &(struct event){.kind = EVENT_SAMPLE, .sample = {.address = address, .count = 1}}, 1);
    }
    /* More samples at one address than a bin can count. */
    profile_apply(
        profile,
        &(struct event){.kind = EVENT_SAMPLE, .sample = {.address = sampled_address(3) + 8, .count = 150000}},
        1);
    /* Bins of a file, which two functions share; at odd addresses, where no other samples are. */
    static const struct {
        uint32_t function;
        uint64_t before, count, bytes;
    } bins[] = {{5, 2, 1000, 4}, {6, 4, 803, 8}, {2, 32, 600, 64}};
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++)
        profile_apply(
            profile,
            &(struct event){.kind = EVENT_SAMPLE,
                            .sample = {.address = sampled_address(bins[i].function) + 1 - bins[i].before,
                                       .count = bins[i].count,
                                       .bytes = bins[i].bytes}},
            1);
    for (uint32_t caller = 0; caller + 1 < CALLS_FUNCTIONS; caller++)
        for (uint32_t callee = caller + 1; callee < CALLS_FUNCTIONS; callee += 3)
            profile_apply(profile,
                          &(struct event){.kind = EVENT_ARC,
                                          .arc = {.from = sampled_address(caller) + 4 + 4 * callee % 32,
                                                  .to = sampled_address(callee),
                                                  .calls = 1 + test_random_below(&random, 1000)}},
                          1);
    profile_apply(
        profile,
        &(struct event){
            .kind = EVENT_ARC,
            .arc = {.from = sampled_address(0) + 16, .to = sampled_address(1), .calls = 5000000000}},
        1);
}

static bool write_sampled(const char *directory, const struct sampled *sampled)
{
    char path[4096];
    size_t n;
    uint8_t *program = make_program(sampled, &n);
    snprintf(path, sizeof path, "%s/%s.elf", directory, sampled->name);
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(program, 1, n, file) == n;
    good = file && fclose(file) == 0 && good;

    struct error err = {0};
    struct symtab *symtab = symtab_load_memory(program, n, sampled->name, &err);
    struct profile *profile = profile_new(NULL);
    profile_set_symbols(profile, symtab);
    add_samples(profile);
    profile_finish(profile);
    struct snapshot_source source = {
        .port = "file:sampled",
        .dialect = "gprof",
        .provides = PROVIDES_TREE | PROVIDES_ARCS | PROVIDES_SAMPLES,
        .elf_word_bytes = (uint8_t)sampled->word_size,
        .elf_big_endian = sampled->big_endian,
    };
    struct snapshot *snapshot =
        profile_freeze(profile, &source, &(struct snapshot_target){.ticks_per_second = sampled->hz},
                       &(struct snapshot_link){0});
    good = write_all(directory, sampled->name, snapshot) && good;
    snapshot_unref(snapshot);
    profile_free(profile);
    symtab_unref(symtab);
    free(program);
    return good;
}

static struct event live(enum event_kind kind, uint32_t context, uint64_t ticks, uint32_t function)
{
    return (struct event){
        .kind = (uint8_t)kind, .context = context, .ticks = ticks, .call.address = calls_address(function)};
}

/* Writes a profile of these events, in ticks of a microsecond. */
static bool write_events(const char *directory, const char *name, const struct event *events, size_t n)
{
    struct profile *profile = profile_new(NULL);
    profile_apply(profile, events, n);
    struct snapshot_source source = {
        .port = "file:live", .dialect = "miniprof", .provides = PROVIDES_TREE | PROVIDES_TIMELINE};
    struct snapshot *snapshot = profile_freeze(
        profile, &source, &(struct snapshot_target){.ticks_per_second = 1000000}, &(struct snapshot_link){0});
    bool good = write_all(directory, name, snapshot);
    snapshot_unref(snapshot);
    profile_free(profile);
    return good;
}

/* Two contexts that run one after the other, the first for three quarters of the time. */
static bool write_turns(const char *directory)
{
    const struct event events[] = {
        live(EVENT_SWITCH, 1, 0, 0),   live(EVENT_ENTER, 1, 0, 0),   live(EVENT_ENTER, 1, 0, 1),
        live(EVENT_EXIT, 1, 900, 1),   live(EVENT_EXIT, 1, 3000, 0), live(EVENT_SWITCH, 2, 3000, 0),
        live(EVENT_ENTER, 2, 3000, 2), live(EVENT_EXIT, 2, 4000, 2), live(EVENT_SWITCH, 1, 4000, 0),
    };
    return write_events(directory, "turns", events, sizeof events / sizeof *events);
}

/* A tree of one function, and two windows with a call of it in each. */
static bool write_windows(const char *directory)
{
    struct event_node node = {.parent = EVENT_NO_NODE, .address = calls_address(0), .calls = 5, .ticks = 700};
    struct event events[11] = {{.kind = EVENT_NODE, .ticks = 9000, .node = &node}};
    size_t n = 1;
    for (uint64_t at = 1000; at <= 5000; at += 4000) {
        const struct event window[] = {
            {.kind = EVENT_WINDOW, .ticks = at, .window = {.stage = WINDOW_BEGINS, .is_whole = true}},
            live(EVENT_SWITCH, 0, at, 0),
            live(EVENT_ENTER, 0, at + 10, 0),
            live(EVENT_EXIT, 0, at + 60, 0),
            {.kind = EVENT_WINDOW, .ticks = at + 100, .window = {.stage = WINDOW_ENDS, .is_whole = true}}};
        for (size_t i = 0; i < sizeof window / sizeof *window; i++, n++) {
            events[n] = window[i];
            if (window[i].kind != EVENT_WINDOW)
                events[n].flags = EVENT_KEPT;
        }
    }
    return write_events(directory, "windows", events, n);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: specimens DIRECTORY\n");
        return 2;
    }
    make_template_name();
    for (size_t i = 0; i < sizeof specimens / sizeof *specimens; i++)
        if (!write_specimen(argv[1], &specimens[i]))
            return 1;
    for (size_t i = 0; i < sizeof sampled_specimens / sizeof *sampled_specimens; i++)
        if (!write_sampled(argv[1], &sampled_specimens[i]))
            return 1;
    return write_turns(argv[1]) && write_windows(argv[1]) ? 0 : 1;
}
