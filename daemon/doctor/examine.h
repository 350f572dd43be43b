/* examine.h - checks the prerequisites of a profile, and suggests fixes: the program, the source's data, and the
 * device. `miniprofd doctor` and the page's Link view use it. */
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
    bool is_visit; /* the port is free again afterwards; false: a daemon keeps it */
    /* Receives a sentence about one check, with a fix unless the verdict is VERDICT_OK. Names in it may come from
     * the device or a file; control bytes are '?'. `paste` is text to use elsewhere, such as a
     * compiler option, which belongs after the sentence; NULL: none. Both are valid during the call. */
    void (*take)(void *user, enum verdict verdict, const char *sentence, const char *paste);
    void *user;
    unsigned fails;    /* sentences with VERDICT_FAIL so far */
    unsigned warns;    /* sentences with VERDICT_WARN so far */
    bool has_measured; /* set by the caller: a call, sample, checkpoint or message was received */
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

/* Checks the program: symbols, lines and instrumentation of its ELF files, and overlaps between them. `needs_hooks`:
 * warn if the program has no hook for calls. Takes some ns per instruction. */
void examine_program(struct examination *examination, const struct symtab *symtab, bool needs_hooks);

/* True when the received bytes make sense in the dialect. */
bool examine_makes_sense(const struct snapshot *snapshot);

/* True when the profile has or will have functions with addresses, whose names an ELF knows. */
bool examine_has_addresses(const struct snapshot *snapshot);

/* Checks the source: whether it is open, what was received, whether that makes sense, and whether a device answers.
 * If it makes sense, also checks the device, whether it runs the program of the ELF files named `elf` (NULL: none
 * was given), and the line: its losses and load. Losses before the profile began do not count. */
void examine_session(struct examination *examination, const char *elf, const struct snapshot *snapshot);

/* ---- its parts, for this room only ---- */

/* Checks whether the program's code is instrumented: how many functions call a hook. */
void examine_hooks(struct examination *examination, const struct symtab *symtab, bool needs_hooks);

void examine_source(struct examination *examination, const struct snapshot *snapshot);

/* Check agent, settings, clock and program; and the line. Called when the received bytes make sense. */
void examine_device(struct examination *examination, const char *elf, const struct snapshot *snapshot);
void examine_line(struct examination *examination, const struct snapshot *snapshot);

#endif
