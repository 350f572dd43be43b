/* symbols.h - the symbols that name the profile: those of the ELF files, which may change. */
#ifndef SESSION_SYMBOLS_H
#define SESSION_SYMBOLS_H

#include "base/elf_list.h"
#include "base/error.h"
#include "snapshot/snapshot.h"
#include "symbol/symtab.h"

struct symbols {
    const struct elf_list *elfs;   /* borrowed; NULL: no ELF was given */
    char name[ELF_LIST_NAME_SIZE]; /* their name in messages */
    struct symtab *current;        /* in use */
    struct symtab *newer;          /* the present files, while the device still runs `current`; or NULL */
    bool is_outdated;              /* a file has changed, and is being read again or could not be */
    struct error failure; /* why it could not be read, a sentence without its end; "": it is being read */
    bool mismatch_logged; /* it was logged that the device runs other code than `current` */
    bool unnamed_logged;  /* it was logged that many running functions have no name */
    uint32_t functions;   /* in the last snapshot, see symbols_see() */
};

/* Loads the files of the list (borrowed; NULL or empty: none). Returns false with an error if one cannot be
 * read. */
bool symbols_init(struct symbols *symbols, const struct elf_list *elfs, struct error *err);
void symbols_fini(struct symbols *symbols);

enum symbols_change {
    SYMBOLS_SAME,
    SYMBOLS_RENAMED, /* `current` was replaced, by symbols of the same code */
    SYMBOLS_REPLACED /* `current` was replaced, by symbols of other code: the counts are of the old one */
};

/* A file has changed and is being read: until symbols_take() the old names stay. */
void symbols_expect(struct symbols *symbols);

/* A file could not be read, for the reason `why`. */
void symbols_fail(struct symbols *symbols, const char *why);

/* Takes over the reference to the symbols of the present files. They are kept for later if the device does
 * not run them yet: the build id it sent, if any, is still that of the old file. */
enum symbols_change symbols_take(struct symbols *symbols, struct symtab *fresh,
                                 const struct snapshot_target *target);

/* The device has sent its build id. */
enum symbols_change symbols_hear(struct symbols *symbols, const struct snapshot_target *target);

/* Checks a snapshot about to be published. Logs once, for users without the page, that the ELF lacks names
 * for half of the running functions, or for a tenth of their time. */
void symbols_see(struct symbols *symbols, const struct snapshot *snapshot);

/* Sets the snapshot's members on the ELF. */
void symbols_tell(const struct symbols *symbols, struct snapshot_source *source,
                  struct snapshot_target *target);

#endif
