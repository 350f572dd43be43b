/* collateral.h - contents of collateral files: names of clients, origins and source files, and the formats
 * whose numbers are in catalog and short messages (schema sys-t_1-0.xsd).
 *
 * Allocated on the heap, and immutable once settled. A dialect's state borrows it. */
#ifndef DIALECT_SYST_COLLATERAL_H
#define DIALECT_SYST_COLLATERAL_H

#include "base/error.h"
#include "dialect/syst/guid.h"

enum syst_table_kind {
    SYST_TABLE_BUILDS,
    SYST_TABLE_MODULES,
    SYST_TABLE_FILES,
    SYST_TABLE_CATALOG32,
    SYST_TABLE_CATALOG64,
    SYST_TABLE_SHORT32,
    SYST_TABLE_SHORT64,
    SYST_TABLE_PROTOCOLS,
    SYST_TABLES,
};

/* An entry for all keys with (key & mask) == (id & mask). */
struct syst_entry {
    uint64_t id, mask;
    uint32_t order; /* its position in the file's table */
    bool has_file, has_line;
    uint32_t file, line;
    char *text; /* n bytes and a NUL */
    size_t n;
};

struct syst_client; /* one syst:Client element */
struct syst_collateral;

/* Makes an empty collateral; the caller frees it with syst_collateral_free(), which accepts NULL. Returns
 * NULL when memory is used up. */
struct syst_collateral *syst_collateral_new(void);
void syst_collateral_free(struct syst_collateral *collateral);

/* These add a client, and a GUID or an entry to a client. They return false or NULL when memory is used up.
 * Texts are copied. `file` is the collateral file's name in exports. */
struct syst_client *syst_collateral_add(struct syst_collateral *collateral, const char *name,
                                        const char *file);
bool syst_client_add_guid(struct syst_client *client, const struct syst_guid *value,
                          const struct syst_guid *mask);
bool syst_client_add(struct syst_client *client, enum syst_table_kind kind, const struct syst_entry *entry);

/* Sorts the entries. Call it after the last one was added, and before the first lookup. */
void syst_collateral_settle(struct syst_collateral *collateral);

/* What identifies the sender of a message. */
struct syst_sender {
    struct syst_guid guid;
    bool has_guid; /* otherwise by master, channel and origin */
    uint16_t master, channel;
    uint8_t origin;
    bool has_build; /* it sent a BUILD message */
    uint64_t build;
};

/* Finds the first client with the sender's GUID (its own, or the one made up for it) and, if both
 * have builds, with the sender's build. NULL when there is none. */
const struct syst_client *syst_collateral_find(const struct syst_collateral *collateral,
                                               const struct syst_sender *sender);

/* Finds the only client; NULL when there are none or several. */
const struct syst_client *syst_collateral_only(const struct syst_collateral *collateral);

const char *syst_client_name(const struct syst_client *client);
const char *syst_client_file(const struct syst_client *client);

/* Finds the first entry, in the order of the file, that matches the key; NULL when none does. */
const struct syst_entry *syst_client_find(const struct syst_client *client, enum syst_table_kind kind,
                                          uint64_t key);

#endif
