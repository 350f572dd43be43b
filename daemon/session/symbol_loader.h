/* symbol_loader.h - reads the ELF files again when one changes, on its own thread, so that a large file, a
 * slow disk or an annex that does not answer blocks nothing else. */
#ifndef SESSION_SYMBOL_LOADER_H
#define SESSION_SYMBOL_LOADER_H

#include "base/error.h"
#include "base/wake.h"
#include "handoff/mailbox.h"
#include "session/elfwatch.h"

#include <pthread.h>
#include <stdatomic.h>

struct symbol_loader {
    struct elfwatch watch;
    struct mailbox *mailbox; /* borrowed */
    uint32_t check_ms;
    struct wake wake; /* wakes the thread to end it */
    atomic_bool stop;
    pthread_t thread;
    bool is_running;
};

/* Marks the present files of the list (borrowed) as those in use; to be called before they are read. */
void symbol_loader_init(struct symbol_loader *loader, const struct elf_list *elfs);

/* Starts the thread, which checks the files every `check_ms`. With ORDER_SYMBOLS it reports to `mailbox`
 * (borrowed) that one has changed, and then the result of reading. Returns false with an error on failure. */
bool symbol_loader_start(struct symbol_loader *loader, struct mailbox *mailbox, uint32_t check_ms,
                         struct error *err);

/* Makes the thread end, without waiting. No effect if it does not run. */
void symbol_loader_leave(struct symbol_loader *loader);

/* Ends the thread; to be called after mailbox_close(). Waits for a file being read, which annex_give_up()
 * shortens. No effect if it does not run. */
void symbol_loader_stop(struct symbol_loader *loader);

#endif
