/* fuzz_top.c - shows any bytes as an answer in `miniprofd top`: the result must be a screen without control sequences
 * from the input, or an error. */
#include "fuzz.h"

#include "top/idle.h"
#include "top/screen.h"

#include <string.h>

static void show(const struct reading *before, const struct reading *now, unsigned width)
{
    struct screen screen = {.view = {.sort = (enum table_sort)(width % SORTS), .has_idle = width % 2},
                            .width = width,
                            .message = "m"};
    struct sink_buffer out;
    sink_buffer_init(&out);
    FUZZ_CHECK(screen_write(&screen, before, now, &out.sink) && !out.sink.failed);
    for (size_t i = 0; i < out.n; i++)
        FUZZ_CHECK((unsigned char)out.bytes[i] >= ' ' || out.bytes[i] == '\n');
    sink_buffer_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {""};
    struct reading *now = reading_parse((const char *)data, size, &err);
    FUZZ_CHECK(now || *err.text);
    if (!now)
        return 0;
    struct reading *before = reading_parse((const char *)data, size, &err);
    idle_find(now);
    if (before)
        idle_find(before);
    if (before)
        before->sequence = now->sequence - 1;
    show(NULL, now, 0);
    show(before, now, 73);
    reading_free(before);
    reading_free(now);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    static const char snapshot[] =
        "{\"sequence\":3,\"cleared_at\":0,\"captured_at\":\"2026-11-20T12:00:00.000Z\",\"incomplete_"
        "because\":[\"x\"],"
        "\"source\":{\"port\":\"p\",\"state\":\"connected\",\"baud\":9600},\"target\":{\"ticks_per_second\":"
        "1000},"
        "\"link\":{\"bytes_per_second\":1.5,\"crc_errors\":1},"
        "\"functions\":[{\"id\":0,\"kind\":\"function\",\"name\":\"main\",\"calls\":0,\"self_ticks\":80,"
        "\"total_ticks\":100},{\"id\":1,\"kind\":\"function\",\"name\":\"f\",\"calls\":2,\"self_ticks\":20,"
        "\"total_ticks\":20,\"mean_ticks\":10.5}],"
        "\"call_tree\":{\"parent\":[-1,0,1],\"function\":[-1,0,1],\"context\":[0,0,0],\"calls\":[0,0,2],"
        "\"total_ticks\":[0,100,20]},"
        "\"contexts\":[{\"id\":0,\"name\":\"main\",\"kind\":\"thread\",\"running_ticks\":100}]}";
    stream_bytes(stream, snapshot, sizeof snapshot - 1);
}
