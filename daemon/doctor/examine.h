/* examine.h - checks the prerequisites of a profile, and says what to do about those that are missing: the program,
 * what comes from the source, and the device that sends it. `miniprofd doctor` and the page's Link view ask for it. */
#ifndef DOCTOR_EXAMINE_H
#define DOCTOR_EXAMINE_H

#include "snapshot/snapshot.h"
#include "symbol/symtab.h"

enum { EXAMINE_SENTENCE = 2048 }; /* maximum size of a sentence with NUL */

enum verdict {
    VERDICT_OK,
    VERDICT_WARN, /* a profile is possible but may lack something */
    VERDICT_FAIL, /* there will be no profile, or a wrong one */
};

/* The receiver of findings. */
struct examination {
    bool is_visit; /* the examining program ends, and the port is free again; else a daemon has it */
    /* Takes a sentence about one thing, and what to do next unless the verdict is VERDICT_OK. Names in it may
     * be the device's or a file's; control bytes are '?'. `paste` is text to use elsewhere that the sentence
     * speaks of, without its end, such as an option of the compiler; NULL: there is none. Both are gone after
     * the call. */
    void (*take)(void *user, enum verdict verdict, const char *sentence, const char *paste);
    void *user;
    unsigned fails;    /* sentences with VERDICT_FAIL so far */
    unsigned warns;    /* ... with VERDICT_WARN */
    bool has_measured; /* in this session: a call, sample, checkpoint or message was seen */
};

/* Returns "ok", "warn" or "fail". */
const char *examine_verdict_name(enum verdict verdict);

/* A function for `take`: writes a finding as a JSON object with `verdict`, `text`, and `paste` unless NULL. `json` is
 * a struct json with an open array. */
void examine_write_finding(void *json, enum verdict verdict, const char *sentence, const char *paste);

/* Formats a sentence and passes it to `take`. */
void examine_say(struct examination *examination, enum verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports a check that passed, with text to paste. */
void examine_offer(struct examination *examination, const char *sentence, const char *paste);

/* Checks the program: symbols, lines and instrumentation of its ELF files, and overlaps between them. Takes some ns
 * per instruction. */
void examine_program(struct examination *examination, const struct symtab *symtab);

/* True when the received bytes make sense in the dialect. */
bool examine_makes_sense(const struct snapshot *snapshot);

/* True when the dialect has commands. */
bool examine_takes_commands(const struct snapshot_source *source);

/* The source: whether it is open, what came, whether that makes sense, and whether a device answers. Where it
 * makes sense, also the device: whether it runs the program whose ELF files are called `elf` (NULL: none
 * was given), and the line: what the profile lacks because of it, and how full it is. Losses from before the
 * profile began are none of it. */
void examine_session(struct examination *examination, const char *elf, const struct snapshot *snapshot);

/* ---- its parts, for this room only ---- */

/* Checks whether the program's code is instrumented: how many functions call a hook. */
void examine_hooks(struct examination *examination, const struct symtab *symtab);

void examine_source(struct examination *examination, const struct snapshot *snapshot);

/* Check agent, settings, clock and program; and the line. Called when the received bytes make sense. */
void examine_device(struct examination *examination, const char *elf, const struct snapshot *snapshot);
void examine_line(struct examination *examination, const struct snapshot *snapshot);

#endif
