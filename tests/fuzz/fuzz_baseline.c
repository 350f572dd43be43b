/* fuzz_baseline.c - reads any bytes as a profile for `miniprofd check`, compares it with itself and its limits, and
 * writes every form of report. A JSON report must be JSON, and a profile must not be slower than itself. */
#include "fuzz.h"

#include "base/jsonio.h"
#include "check/report.h"

#include <sys/mman.h>
#include <unistd.h>

enum { PATH_SIZE = 64 };

/* Writes these bytes to a file and stores its path. */
static void write_file(const uint8_t *data, size_t size, char path[static PATH_SIZE])
{
    static int fd = -1;
    if (fd < 0)
        fd = memfd_create("profile", MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    snprintf(path, PATH_SIZE, "/proc/self/fd/%d", fd);
}

static void tell(const struct gate *gate, const struct gate_result *result)
{
    for (size_t i = 0; report_registry[i]; i++) {
        struct sink_buffer out;
        sink_buffer_init(&out);
        report_registry[i]->write(gate, result, &out.sink);
        FUZZ_CHECK(!out.sink.failed);
        if (report_registry[i] == &report_json || report_registry[i] == &report_bmf) {
            struct error err = {""};
            struct jsonio *json = jsonio_parse("report", out.bytes, out.n, &err);
            FUZZ_CHECK(json);
            jsonio_free(json);
        }
        sink_buffer_fini(&out);
    }
}

static void hold(const struct measured *measured)
{
    struct gate gate = {.calls = 1, .loss = 1};
    struct error err = {""};
    FUZZ_CHECK(bound_parse("f:p99<1us", &gate.limits[gate.limits_n++], &err));
    FUZZ_CHECK(bound_parse("g:period=2us+-1us", &gate.limits[gate.limits_n++], &err));
    for (int metric = 0; metric < MEASURED_METRICS; metric++) {
        struct gate_result result;
        gate.metric = (enum measured_figure)metric;
        gate.by_spread = metric % 2;
        gate.allowed = metric % 4 < 2 ? 0 : ~0u;
        const struct gate_sides sides = {measured, measured, 1, measured};
        if (!gate_hold(&gate, &sides, &result, &err)) {
            FUZZ_CHECK(*err.text);
            result.inconclusive = err.text;
            tell(&gate, &result);
            continue;
        }
        FUZZ_CHECK(result.slower == 0 && result.gone == 0 && result.added == 0);
        tell(&gate, &result);
        gate_result_fini(&result);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[PATH_SIZE];
    struct measured measured;
    struct error err = {""};
    write_file(data, size, path);
    enum measured_outcome outcome = measured_read(&measured, path, &err);
    FUZZ_CHECK(outcome == MEASURED_OK || (outcome == MEASURED_UNUSABLE && *err.text));
    if (outcome == MEASURED_OK)
        hold(&measured);
    if (outcome == MEASURED_OK)
        measured_fini(&measured);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    static const char profile[] =
        "{\"schema\":\"miniprofd.snapshot\",\"schema_version\":1,\"complete\":true,\"incomplete_because\":[],"
        "\"target\":{\"ticks_per_second\":1000000,\"elf_match\":true,\"mode\":\"tree\",\"mcu_clock_hz\":"
        "8000000},"
        "\"measured_with\":[{\"name\":\"window\",\"unit\":\"\",\"value\":1,\"default\":0,\"throughout\":true}"
        ","
        "{\"name\":\"packet\",\"unit\":\"records\",\"value\":20,\"default\":null,\"throughout\":false}],"
        "\"link\":{\"records\":900,\"records_lost\":0,\"losses_of_unknown_size\":0},"
        "\"functions\":[{\"kind\":\"function\",\"name\":\"f\",\"file\":\"a.c\",\"line\":3,\"calls\":9,"
        "\"total_ticks\":99,\"self_ticks\":55,\"p50_ticks\":9,\"p90_ticks\":12,\"p99_ticks\":12,"
        "\"max_ticks\":13,\"stack_bytes\":64},{\"kind\":\"function\",\"name\":\"g\",\"file\":null,"
        "\"calls\":2,\"total_ticks\":30,\"self_ticks\":30,\"period_min_ticks\":2,\"period_max_ticks\":5}],"
        "\"limits\":[{\"limit\":\"f:rate<3/"
        "s\",\"name\":\"f\",\"state\":\"broken\",\"worst\":{\"value\":4.5}},"
        "{\"limit\":\"h:max<3us\",\"name\":\"h\",\"state\":\"unknown\",\"worst\":null}]}";
    stream_bytes(stream, profile, sizeof profile - 1);
}
