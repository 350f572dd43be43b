/* collateral.c - stores the contents of collateral files.
 *
 * Catalogs have thousands of entries, and hardly any has a mask. So entries without a mask are sorted, and
 * the few others are searched linearly. If both kinds match a key, the one that is first in the file wins. */
#include "dialect/syst/collateral.h"

#include <stdlib.h>
#include <string.h>

struct table {
    struct syst_entry *entries;
    size_t n, room;
    size_t exact; /* once settled: entries without a mask, which are sorted; the others follow */
};

struct guid_rule {
    struct syst_guid value, mask;
};

struct syst_client {
    char *name, *file;
    struct guid_rule *guids;
    size_t guid_n, guid_room;
    struct table tables[SYST_TABLES];
};

struct syst_collateral {
    struct syst_client **clients;
    size_t n, room;
};

/* Reserves one more element of `size` bytes. Returns false when memory is used up. */
static bool make_room(void *array, size_t n, size_t *room, size_t size)
{
    void **items = array;
    if (n < *room)
        return true;
    size_t more = *room ? 2 * *room : 8;
    void *moved = realloc(*items, more * size);
    if (!moved)
        return false;
    *items = moved;
    *room = more;
    return true;
}

struct syst_collateral *syst_collateral_new(void)
{
    return calloc(1, sizeof(struct syst_collateral));
}

static void client_free(struct syst_client *client)
{
    for (int kind = 0; kind < SYST_TABLES; kind++) {
        for (size_t i = 0; i < client->tables[kind].n; i++)
            free(client->tables[kind].entries[i].text);
        free(client->tables[kind].entries);
    }
    free(client->guids);
    free(client->name);
    free(client->file);
    free(client);
}

void syst_collateral_free(struct syst_collateral *collateral)
{
    if (!collateral)
        return;
    for (size_t i = 0; i < collateral->n; i++)
        client_free(collateral->clients[i]);
    free(collateral->clients);
    free(collateral);
}

struct syst_client *syst_collateral_add(struct syst_collateral *collateral, const char *name,
                                        const char *file)
{
    if (!make_room(&collateral->clients, collateral->n, &collateral->room, sizeof *collateral->clients))
        return NULL;
    struct syst_client *client = calloc(1, sizeof *client);
    if (!client)
        return NULL;
    client->name = strdup(name);
    client->file = strdup(file);
    if (!client->name || !client->file) {
        client_free(client);
        return NULL;
    }
    collateral->clients[collateral->n++] = client;
    return client;
}

bool syst_client_add_guid(struct syst_client *client, const struct syst_guid *value,
                          const struct syst_guid *mask)
{
    if (!make_room(&client->guids, client->guid_n, &client->guid_room, sizeof *client->guids))
        return false;
    client->guids[client->guid_n++] = (struct guid_rule){*value, *mask};
    return true;
}

bool syst_client_add(struct syst_client *client, enum syst_table_kind kind, const struct syst_entry *entry)
{
    struct table *table = &client->tables[kind];
    if (!make_room(&table->entries, table->n, &table->room, sizeof *table->entries))
        return false;
    struct syst_entry *added = &table->entries[table->n];
    *added = *entry;
    added->order = (uint32_t)table->n;
    added->text = malloc(entry->n + 1);
    if (!added->text)
        return false;
    if (entry->n)
        memcpy(added->text, entry->text, entry->n);
    added->text[entry->n] = 0;
    table->n++;
    return true;
}

static bool is_exact(const struct syst_entry *entry)
{
    return entry->mask == UINT64_MAX;
}

static int by_key(const void *a, const void *b)
{
    const struct syst_entry *one = a, *other = b;
    if (is_exact(one) != is_exact(other))
        return is_exact(one) ? -1 : 1;
    if (is_exact(one) && one->id != other->id)
        return one->id < other->id ? -1 : 1;
    return one->order < other->order ? -1 : 1;
}

static void settle(struct table *table)
{
    if (table->n)
        qsort(table->entries, table->n, sizeof *table->entries, by_key);
    while (table->exact < table->n && is_exact(&table->entries[table->exact]))
        table->exact++;
}

void syst_collateral_settle(struct syst_collateral *collateral)
{
    for (size_t i = 0; i < collateral->n; i++)
        for (int kind = 0; kind < SYST_TABLES; kind++)
            settle(&collateral->clients[i]->tables[kind]);
}

static const struct syst_entry *find_exact(const struct table *table, uint64_t key)
{
    size_t low = 0, high = table->exact;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->entries[middle].id < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->exact && table->entries[low].id == key ? &table->entries[low] : NULL;
}

const struct syst_entry *syst_client_find(const struct syst_client *client, enum syst_table_kind kind,
                                          uint64_t key)
{
    const struct table *table = &client->tables[kind];
    const struct syst_entry *exact = find_exact(table, key);
    for (size_t i = table->exact; i < table->n; i++) {
        const struct syst_entry *entry = &table->entries[i];
        if (exact && exact->order < entry->order)
            break;
        if (!((key ^ entry->id) & entry->mask))
            return entry;
    }
    return exact;
}

static bool has_guid(const struct syst_client *client, const struct syst_guid *guid)
{
    for (size_t i = 0; i < client->guid_n; i++)
        if (syst_guid_matches(guid, &client->guids[i].value, &client->guids[i].mask))
            return true;
    return false;
}

static bool is_of(const struct syst_client *client, const struct syst_sender *sender)
{
    if (sender->has_build && client->tables[SYST_TABLE_BUILDS].n &&
        !syst_client_find(client, SYST_TABLE_BUILDS, sender->build))
        return false;
    if (sender->has_guid)
        return has_guid(client, &sender->guid);
    struct syst_guid described = syst_guid_of_origin(sender->master, sender->channel, sender->origin);
    struct syst_guid printed = syst_guid_of_printer(sender->origin);
    return has_guid(client, &described) || has_guid(client, &printed);
}

const struct syst_client *syst_collateral_find(const struct syst_collateral *collateral,
                                               const struct syst_sender *sender)
{
    for (size_t i = 0; collateral && i < collateral->n; i++)
        if (is_of(collateral->clients[i], sender))
            return collateral->clients[i];
    return NULL;
}

const struct syst_client *syst_collateral_only(const struct syst_collateral *collateral)
{
    return collateral && collateral->n == 1 ? collateral->clients[0] : NULL;
}

const char *syst_client_name(const struct syst_client *client)
{
    return client->name;
}

const char *syst_client_file(const struct syst_client *client)
{
    return client->file;
}
