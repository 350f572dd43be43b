/* begin.c - lets libFuzzer begin with the target's own input, which it would take long to find: writes it to the file
 * FUZZ_BEGIN in a folder of the corpus before the corpus is read. */
#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *path = getenv("FUZZ_BEGIN");
    struct stream stream = {0};
    FILE *file = path ? fopen(path, "wb") : NULL;
    if (!file)
        return 0;
    fuzz_begin_with(&stream);
    bool good = fwrite(stream.bytes, 1, stream.n, file) == stream.n;
    if (fclose(file) != 0 || !good)
        abort();
    stream_fini(&stream);
    return 0;
}
