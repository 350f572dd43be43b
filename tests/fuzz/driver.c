/* driver.c - replaces a fuzzer: damages the target's own input in many ways, the same ones in every run unless
 * TEST_SEED is set. The first argument is the number of rounds with TEST_ALL; without, an eighth of them run. The
 * other arguments are folders of kept inputs, which are fed unchanged. The target or a sanitizer aborts on an error.
 *
 * If the rooms under test are counted (work.h), half of the rounds damage the most expensive input so far. */
#include "fuzz.h"

#include "support/effort.h"
#include "support/random.h"
#include "work.h"

#include <dirent.h>

static void spoil(struct stream *stream, struct test_random *random)
{
    static const uint8_t liked[] = {0x00, 0xFF, 0xAA, 0x55, 0x0A, 0x01, 0x05, 0x7F, 0x80};
    for (size_t times = 1 + test_random_below(random, 8); times > 0 && stream->n; times--) {
        size_t at = test_random_below(random, stream->n);
        size_t n = 1 + test_random_below(random, 1 + test_random_below(random, 64));
        if (n > stream->n - at)
            n = stream->n - at;
        switch (test_random_below(random, 7)) {
        case 0: stream->bytes[at] ^= (uint8_t)(1u << test_random_below(random, 8)); break;
        case 1: stream->bytes[at] = (uint8_t)test_random_next(random); break;
        case 2: stream->bytes[at] = liked[test_random_below(random, sizeof liked)]; break;
        case 3: /* cut out */
            memmove(stream->bytes + at, stream->bytes + at + n, stream->n - at - n);
            stream->n -= n;
            break;
        case 4: /* cut off */ stream->n = at; break;
        case 5: /* repeat */
            for (size_t i = 0; i < n; i++)
                stream_byte(stream, 0);
            memmove(stream->bytes + at + n, stream->bytes + at, stream->n - n - at);
            break;
        default: /* swap with another place */
            for (size_t i = 0, other = test_random_below(random, stream->n); i < n && other < stream->n;
                 i++, other++) {
                uint8_t byte = stream->bytes[at + i];
                stream->bytes[at + i] = stream->bytes[other];
                stream->bytes[other] = byte;
            }
            break;
        }
    }
}

static struct stream whole; /* the target's own input */
static double dear_each;    /* blocks a byte; of `dear` */
static struct stream dear;  /* the most expensive input that is no longer than `whole` */

static void keep_dearest(const struct stream *stream, double each)
{
    if (each <= dear_each || stream->n > whole.n) /* else inputs would grow without end */
        return;
    dear_each = each;
    struct stream kept = {0};
    stream_bytes(&kept, stream->bytes, stream->n);
    stream_fini(&dear);
    dear = kept;
}

static void run(const struct stream *stream)
{
    uint8_t *exact = malloc(stream->n ? stream->n : 1);
    if (!exact)
        abort();
    if (stream->n)
        memcpy(exact, stream->bytes, stream->n);
    work_begin();
    LLVMFuzzerTestOneInput(exact, stream->n);
    keep_dearest(stream, work_end(stream->n));
    free(exact);
}

/* Returns the number of files. */
static unsigned long replay(const char *folder)
{
    unsigned long n = 0;
    DIR *files = opendir(folder);
    if (!files) {
        perror(folder);
        exit(1);
    }
    for (struct dirent *entry; (entry = readdir(files));) {
        char path[4096];
        struct stream stream = {0};
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "rb");
        if (!file)
            abort();
        for (int byte; (byte = getc(file)) != EOF;)
            stream_byte(&stream, (uint8_t)byte);
        fclose(file);
        run(&stream);
        stream_fini(&stream);
        n++;
    }
    closedir(files);
    return n;
}

int main(int argc, char **argv)
{
    unsigned all = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
    unsigned long times = test_effort(all / 8, all);
    struct test_random random = test_random_start(argv[0]);
    fuzz_begin_with(&whole);
    run(&whole);
    unsigned long kept = 0;
    for (int i = 2; i < argc; i++)
        kept += replay(argv[i]);
    for (unsigned long i = 0; i < times; i++) {
        struct stream spoilt = {0};
        const struct stream *from = i % 2 && dear.n ? &dear : &whole;
        stream_bytes(&spoilt, from->bytes, from->n);
        spoil(&spoilt, &random);
        run(&spoilt);
        stream_fini(&spoilt);
    }
    stream_fini(&whole);
    work_print();
    stream_fini(&dear);
    printf("%lu inputs, %lu of them kept\n", times + 1 + kept, kept);
    return 0;
}
