/* examine.c - passes a sentence with its verdict to the caller of the examination. */
#include "doctor/examine.h"

#include "base/json.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *examine_verdict_name(enum verdict verdict)
{
    static const char *const names[] = {
        [VERDICT_OK] = "ok", [VERDICT_WARN] = "warn", [VERDICT_FAIL] = "fail"};
    return names[verdict];
}

void examine_write_finding(void *json, enum verdict verdict, const char *sentence, const char *paste)
{
    char clean[2 * EXAMINE_SENTENCE];
    text_clean_utf8(clean, sizeof clean, sentence, strlen(sentence));
    json_object_open(json, NULL);
    json_text(json, "verdict", examine_verdict_name(verdict));
    json_text(json, "text", clean);
    if (paste)
        json_text(json, "paste", paste);
    json_object_close(json);
}

void examine_say(struct examination *examination, enum verdict verdict, const char *format, ...)
{
    char sentence[EXAMINE_SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    for (char *c = sentence; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            *c = '?';
    examination->fails += verdict == VERDICT_FAIL;
    examination->warns += verdict == VERDICT_WARN;
    examination->take(examination->user, verdict, sentence, NULL);
}

void examine_offer(struct examination *examination, const char *sentence, const char *paste)
{
    examination->take(examination->user, VERDICT_OK, sentence, paste);
}

void examine_session(struct examination *examination, const char *elf, const struct snapshot *snapshot)
{
    examine_source(examination, snapshot);
    if (!examine_makes_sense(snapshot))
        return;
    examine_device(examination, elf, snapshot);
    examine_line(examination, snapshot);
}
