/* symbols.h - which symbols the profile is named by: those of the ELF files, also after they have changed. */
#ifndef SESSION_SYMBOLS_H
#define SESSION_SYMBOLS_H

#include "base/elf_list.h"
#include "base/error.h"
#include "snapshot/snapshot.h"
#include "symbol/symtab.h"

struct symbols {
    const struct elf_list *elfs;   /* borrowed; NULL: no ELF was given */
    char name[ELF_LIST_NAME_SIZE]; /* what they are called in sentences */
    struct symtab *current;        /* in use */
    struct symtab *newer; /* the files as they are now, while the device still runs `current`; or NULL */
    bool is_outdated;     /* a file has changed, and is being read again or could not be */
    struct error failure; /* why it could not be, in a sentence without its end; "": it is being read */
    bool mismatch_logged; /* that `current` is not what the device runs */
    bool unnamed_logged;  /* that it has no name for much of what runs */
    uint32_t functions;   /* that the last snapshot had, see symbols_see() */
};

/* Loads the files of the list (borrowed; NULL or empty: none). False with a sentence when one
 * cannot be read. */
bool symbols_init(struct symbols *symbols, const struct elf_list *elfs, struct error *err);
void symbols_fini(struct symbols *symbols);

enum symbols_change {
    SYMBOLS_SAME,
    SYMBOLS_RENAMED, /* `current` is another, of the same code */
    SYMBOLS_REPLACED /* `current` is another, of other code: what was added up is of the old one */
};

/* Notes that a file has changed and is being read: until symbols_take() the names are those of before. */
void symbols_expect(struct symbols *symbols);

/* Takes in that a file could not be read, and why. */
void symbols_fail(struct symbols *symbols, const char *why);

/* Takes over the reference to what the files are now. Those that the device does not run yet (its build id,
 * when it sent one, is still that of the old file) is kept for when it does. */
enum symbols_change symbols_take(struct symbols *symbols, struct symtab *fresh,
                                 const struct snapshot_target *target);

/* Takes in that the device sent its build id. */
enum symbols_change symbols_hear(struct symbols *symbols, const struct snapshot_target *target);

/* Takes a look at a snapshot that is about to be published, and logs once, for whoever has no page, that the
 * ELF has no names for half of what runs, or for a tenth of its time. */
void symbols_see(struct symbols *symbols, const struct snapshot *snapshot);

/* Fills in what the snapshot says about the ELF. */
void symbols_tell(const struct symbols *symbols, struct snapshot_source *source,
                  struct snapshot_target *target);

#endif
