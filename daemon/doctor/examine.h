/* examine.h - looks whether what a profile needs is there, and says what to do where it is not: the program,
 * what comes from the source, and who sends it. `miniprofd doctor` and the page's Link view ask for it. */
#ifndef DOCTOR_EXAMINE_H
#define DOCTOR_EXAMINE_H

#include "snapshot/snapshot.h"
#include "symbol/symtab.h"

enum { EXAMINE_SENTENCE = 2048 }; /* bytes of a sentence and its zero, at most */

enum verdict {
    VERDICT_OK,
    VERDICT_WARN, /* a profile is possible but lacks something, or that is unknown */
    VERDICT_FAIL, /* there will be no profile, or a wrong one */
};

/* Receives what was found. */
struct examination {
    bool is_visit; /* whoever examines leaves, and the port is free again; else a daemon has it */
    /* Takes a sentence about one thing, and what to do next unless the verdict is VERDICT_OK. Names in it may
     * be the device's or a file's; control bytes are '?'. `paste` is text to use elsewhere that the sentence
     * speaks of, without its end, such as an option of the compiler; NULL: there is none. Both are gone after
     * the call. */
    void (*take)(void *user, enum verdict verdict, const char *sentence, const char *paste);
    void *user;
    unsigned fails;    /* sentences with VERDICT_FAIL so far */
    unsigned warns;    /* ... with VERDICT_WARN */
    bool has_measured; /* by whoever looks: a call, sample, checkpoint or message was seen */
};

/* "ok", "warn" or "fail". */
const char *examine_verdict_name(enum verdict verdict);

/* A finding as a JSON object: `verdict`, `text`, and `paste` unless NULL. For `take`; `json` is a struct json
 * that stands in an array. */
void examine_write_finding(void *json, enum verdict verdict, const char *sentence, const char *paste);

/* Hands the sentence on. */
void examine_say(struct examination *examination, enum verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports a check that passed, and what to paste. */
void examine_offer(struct examination *examination, const char *sentence, const char *paste);

/* The program: whether its ELF files have symbols, lines, and code that is instrumented, and whether each
 * address is of one of them. It takes some ns for each instruction in it. */
void examine_program(struct examination *examination, const struct symtab *symtab);

/* True when what came is what the dialect expects. */
bool examine_makes_sense(const struct snapshot *snapshot);

/* True when the dialect is one that commands are sent in. */
bool examine_takes_commands(const struct snapshot_source *source);

/* The source: whether it is open, what came, whether that makes sense, and whether somebody answers. Where it
 * makes sense, also whoever sends, whether it runs the program whose ELF files are called `elf` (NULL: none
 * was given), and the line: what the profile lacks because of it, and how full it is. Losses from before the
 * profile began are none of it. */
void examine_session(struct examination *examination, const char *elf, const struct snapshot *snapshot);

/* ---- its parts, for this room only ---- */

/* True when the program's code is instrumented: how many functions call a hook. */
void examine_hooks(struct examination *examination, const struct symtab *symtab);

void examine_source(struct examination *examination, const struct snapshot *snapshot);

/* Agent, settings, clock and program; the line. For where something made sense. */
void examine_device(struct examination *examination, const char *elf, const struct snapshot *snapshot);
void examine_line(struct examination *examination, const struct snapshot *snapshot);

#endif
