/* symbol_loader.c - reads the ELF files again when one changes, on its own thread. */
#include "session/symbol_loader.h"

#include "base/thread.h"

#include "symbol/symtab.h"

#include <poll.h>

void symbol_loader_init(struct symbol_loader *loader, const struct elf_list *elfs)
{
    *loader = (struct symbol_loader){.check_ms = 0};
    elfwatch_init(&loader->watch, elfs);
}

/* Returns true if the thread is to continue. */
static bool sleep_until_next_look(struct symbol_loader *loader)
{
    struct pollfd stop = {.fd = loader->wake.fd, .events = POLLIN};
    if (!atomic_load(&loader->stop))
        poll(&stop, 1, (int)loader->check_ms);
    return !atomic_load(&loader->stop);
}

/* Passes the result to the ingest thread. A full mailbox is tried again; a closed one accepts nothing. */
static void hand_over(struct symbol_loader *loader, struct symtab *symtab, const struct error *why)
{
    enum order_result result;
    do {
        struct order order = {.kind = ORDER_SYMBOLS, .symtab = symtab, .why = *why};
        result = mailbox_ask(loader->mailbox, &order);
    } while (result == ORDER_BUSY && sleep_until_next_look(loader));
    if (result != ORDER_DONE)
        symtab_unref(symtab);
}

static void load_symbol_files(struct symbol_loader *loader)
{
    struct error why = {""};
    hand_over(loader, NULL, &why);
    struct symtab *symtab = symtab_load_list(loader->watch.elfs, &why);
    if (symtab)
        elfwatch_loaded(&loader->watch);
    else
        elfwatch_failed(&loader->watch);
    hand_over(loader, symtab, &why);
}

static void *run_symbol_loader(void *argument)
{
    struct symbol_loader *loader = argument;
    pthread_setname_np(pthread_self(), "mp-symbols");
    while (sleep_until_next_look(loader))
        if (elfwatch_look(&loader->watch))
            load_symbol_files(loader);
    return NULL;
}

bool symbol_loader_start(struct symbol_loader *loader, struct mailbox *mailbox, uint32_t check_ms,
                         struct error *err)
{
    if (!wake_init(&loader->wake, err))
        return false;
    loader->mailbox = mailbox;
    loader->check_ms = check_ms;
    int code = thread_start(&loader->thread, NULL, run_symbol_loader, loader);
    loader->is_running = code == 0;
    if (code == 0)
        return true;
    wake_fini(&loader->wake);
    return error_set_errno(err, code, "Cannot start the thread that reads the ELF again");
}

void symbol_loader_leave(struct symbol_loader *loader)
{
    if (!loader->is_running)
        return;
    atomic_store(&loader->stop, true);
    wake_ring(&loader->wake);
}

void symbol_loader_stop(struct symbol_loader *loader)
{
    if (!loader->is_running)
        return;
    symbol_loader_leave(loader);
    pthread_join(loader->thread, NULL);
    wake_fini(&loader->wake);
    loader->is_running = false;
}
