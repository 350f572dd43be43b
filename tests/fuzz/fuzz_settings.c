/* fuzz_settings.c - reads any bytes as a configuration file, arguments or a pace file; the first byte chooses which. */
#include "fuzz.h"

#include "cli/options.h"
#include "source/pace.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ARGUMENTS_MOST = 40 };

static char folder[] = "/tmp/miniprofd-fuzz-XXXXXX", recording[64], file[80];

static void remove_all(void)
{
    unlink(file);
    rmdir(folder);
}

/* Writes `file`: the configuration, or the pace of `recording`. */
static void write_file(const void *bytes, size_t n)
{
    if (!*file) {
        FUZZ_CHECK(mkdtemp(folder));
        snprintf(recording, sizeof recording, "%s/file", folder);
        snprintf(file, sizeof file, "%s%s", recording, PACE_SUFFIX);
        atexit(remove_all);
    }
    FILE *out = fopen(file, "wb");
    FUZZ_CHECK(out && fwrite(bytes, 1, n, out) == n && fclose(out) == 0);
}

static void take(int argc, char **argv)
{
    struct options options;
    struct error err = {""};
    bool good = options_parse(&options, argc, argv, &err);
    FUZZ_CHECK(good == !*err.text);
    options_free(&options);
}

static void arguments(char *text, size_t n)
{
    char program[] = "miniprofd", *argv[ARGUMENTS_MOST + 1] = {program};
    int argc = 1;
    for (char *at = text; at < text + n && argc < ARGUMENTS_MOST; at += strlen(at) + 1) {
        if (!strncmp(at, "--config", 8))
            return; /* could be any file of this machine */
        argv[argc++] = at;
    }
    take(argc, argv);
}

static void read_pace(void)
{
    struct pace pace = {0};
    uint64_t us = 0, offset = 0;
    if (!pace_open(&pace, recording, NULL))
        return;
    while (pace_next(&pace)) {
        FUZZ_CHECK(pace.elapsed_us >= us && pace.offset >= offset);
        us = pace.elapsed_us;
        offset = pace.offset;
    }
    pace_close(&pace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    const uint8_t *rest = data + 1;
    size_t n = size - 1;
    char *text = malloc(n + 1);
    FUZZ_CHECK(text);
    memcpy(text, rest, n);
    text[n] = '\0';
    char program[] = "miniprofd", option[] = "--config";
    if (data[0] % 3 != 1)
        write_file(rest, n);
    switch (data[0] % 3) {
    case 0: take(3, (char *[]){program, option, file, NULL}); break;
    case 1: arguments(text, n); break;
    default: read_pace();
    }
    free(text);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    static const char config[] =
        "3{\"port\": \"file:x\", \"baud\": 921600, \"http\": true, \"record-limit\": \"500M\", \"mode\": "
        "\"tree\", "
        "\"trigger\": \"f>500us\", \"export\": [\"json=a\", \"csv=b\"], \"no-http\": true, \"speed\": 1.5, "
        "\"source-path\": \"/a=/b\", \"dialect\": \"tfm\", \"dialect-opt\": [\"names=x\"]}";
    stream_bytes(stream, config, sizeof config - 1);
}
