/* profile_text.c - checks whether a file is text; if not, recognizes what the user probably gave instead of a
 * profile. */
#include "check/profile_text.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_program(const char *text, size_t n)
{
    return n >= 4 && memcmp(text, "\177ELF", 4) == 0;
}

/* Sets the error for a file that is not text: what it is, and what to give instead. */
static bool refuse_bytes(const char *text, size_t n, const char *path, struct error *err)
{
    if (is_program(text, n))
        return error_set(err, "%s is a program and no profile; miniprofd --export json=PATH writes one.",
                         path);
    if (n >= 2 && memcmp(text, "\037\213", 2) == 0)
        return error_set(err, "%s is compressed; unpack it with gunzip.", path);
    return error_set(err,
                     "%s is damaged or no profile: it is not UTF-8. Of a recording, miniprofd --port "
                     "file:PATH --elf FILE --no-http --export json=PATH makes one.",
                     path);
}

/* Checks that the text is UTF-8, since its names are written to reports. */
bool profile_is_text(const char *text, size_t n, const char *path, struct error *err)
{
    if (is_program(text, n))
        return refuse_bytes(text, n, path, err);
    char *clean = text_clean_utf8_dup(text, n);
    if (!clean)
        return error_set(err, "Out of memory.");
    bool same = strlen(clean) == n && memcmp(clean, text, n) == 0;
    free(clean);
    return same || refuse_bytes(text, n, path, err);
}

bool profile_is_no_folder(const char *path, struct error *err)
{
    struct stat about;
    return stat(path, &about) != 0 || !S_ISDIR(about.st_mode) ||
           error_set(err, "The profile %.300s is a folder; name a file in it.", path);
}
