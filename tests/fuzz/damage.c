/* damage.c - main() of fuzz targets that begin with files. `TARGET ROUNDS FILE...` feeds each file unchanged, then
 * ROUNDS damaged copies of it: bytes changed, cut out, repeated, the end cut off. Every second copy is made from the
 * most expensive one so far (work.h). Seeds are as in support/random.h. */
#include "support/random.h"
#include "work.h"

#include <stdbool.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static uint8_t *read_file(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return NULL;
    long size = ftell(file);
    uint8_t *bytes = size >= 0 ? malloc((size_t)size + 1) : NULL;
    rewind(file);
    *n = bytes ? fread(bytes, 1, (size_t)size, file) : 0;
    fclose(file);
    return bytes;
}

/* Returns a byte that is common in files or causes arithmetic errors. */
static uint8_t telling_byte(struct test_random *random)
{
    static const uint8_t telling[] = {0, 1, 2, 4, 0x7f, 0x80, 0xfe, 0xff};
    return test_random_below(random, 2) ? (uint8_t)test_random_next(random)
                                        : telling[test_random_below(random, sizeof telling)];
}

static size_t damage(struct test_random *random, uint8_t *bytes, size_t n)
{
    for (size_t hits = 1 + test_random_below(random, 16); hits > 0 && n > 0; hits--) {
        size_t at = test_random_below(random, n), from = test_random_below(random, n);
        size_t length = 1 + test_random_below(random, 16);
        switch (test_random_below(random, 16)) {
        case 0: n = at; break;
        case 1:
            length = length < n - at ? length : n - at;
            memmove(bytes + at, bytes + at + length, n - at - length);
            n -= length;
            break;
        case 2:
        case 3:
            length = length < n - (at > from ? at : from) ? length : n - (at > from ? at : from);
            memmove(bytes + at, bytes + from, length);
            break;
        default: bytes[at] = telling_byte(random);
        }
    }
    return n;
}

/* Returns the cost of a byte of it. */
static double run(const uint8_t *bytes, size_t n)
{
    work_begin();
    LLVMFuzzerTestOneInput(bytes, n);
    return work_end(n);
}

/* Returns a copy of `bytes` in a block of the exact size, so that a sanitizer finds reads past its end. */
static uint8_t *copy_of(const uint8_t *bytes, size_t n)
{
    uint8_t *copy = malloc(n + !n);
    if (!copy)
        abort();
    if (n > 0)
        memcpy(copy, bytes, n);
    return copy;
}

static void damage_and_run(struct test_random *random, const uint8_t *bytes, size_t n, unsigned long rounds)
{
    size_t dear_n = n;
    uint8_t *dear = copy_of(bytes, n);
    double dear_each = run(dear, n);
    for (unsigned long round = 0; round < rounds; round++) {
        bool from_dear = round % 2 && dear_each > 0;
        size_t copy_n = from_dear ? dear_n : n;
        uint8_t *copy = copy_of(from_dear ? dear : bytes, copy_n);
        copy_n = damage(random, copy, copy_n);
        uint8_t *exact = copy_of(copy, copy_n);
        free(copy);
        double each = run(exact, copy_n);
        if (each <= dear_each) {
            free(exact);
            continue;
        }
        free(dear);
        dear = exact;
        dear_n = copy_n;
        dear_each = each;
    }
    free(dear);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s ROUNDS FILE...\n", argv[0]);
        return 2;
    }
    struct test_random random = test_random_start(argv[0]);
    for (int i = 2; i < argc; i++) {
        size_t n;
        uint8_t *bytes = read_file(argv[i], &n);
        if (!bytes) {
            fprintf(stderr, "cannot read %s\n", argv[i]);
            return 1;
        }
        damage_and_run(&random, bytes, n, strtoul(argv[1], NULL, 0));
        free(bytes);
    }
    work_print();
    return 0;
}
