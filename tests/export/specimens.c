/* specimens.c - writes made-up profiles in every format, for the tools that these formats are for.
 *
 * usage: specimens DIRECTORY. Makes DIRECTORY/<specimen>.<format id>; the readers' tests compare what a tool
 * makes of a file with what <specimen>.json says. */
#include "export/export.h"
#include "profile/profile.h"
#include "support/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What firmware calls its functions, and worse. */
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
    static const struct snapshot_context contexts[] = {{"main", "thread", 1},
                                                       {"TIM2 <isr> & \"co\"", "isr", 1}};
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

    bool good = true;
    for (size_t i = 0; exporter_registry[i]; i++) {
        char path[4096];
        struct error err = {0};
        if (!exporter_can(exporter_registry[i], &shown, &err))
            continue;
        snprintf(path, sizeof path, "%s/%s.%s", directory, specimen->name, exporter_registry[i]->id);
        if (!export_to_path(exporter_registry[i], &shown, path, &err)) {
            fprintf(stderr, "%s\n", err.text);
            good = false;
        }
    }
    free(nodes);
    free(functions);
    snapshot_unref(snapshot);
    profile_free(profile);
    calls_free(&calls);
    return good;
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
    return 0;
}
