/* xml.c - reads SyS-T collateral files; the only file that uses the XML library.
 *
 * The library is expat: it is small, in every Debian, and reads a stream, so memory is only used for entries.
 * It does not open files or connections itself. Reading stops at a document type definition, so there are no
 * entities to expand, external or recursive. */
#include "dialect/syst/xml.h"

#include "base/wholefile.h"

#include <errno.h>
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_MOST = 64,       /* MiB */
    DEPTH_MAX = 16,       /* the schema has 4 */
    TEXT_MAX = 64 * 1024, /* of one entry: longer than any message */
    PIECE = 1024 * 1024,
};

#define SEPARATOR '\n' /* between a namespace and a name; not part of names */

struct reader {
    XML_Parser parser;
    struct syst_collateral *collateral;
    const char *name; /* of the file, for error messages */
    const char *base; /* ... and for exports */
    struct syst_client *client;
    int depth;
    int table;   /* enum syst_table_kind of the enclosing element; -1: none */
    bool inside; /* inside an entry, whose text is being collected */
    struct syst_entry entry;
    char *text;
    size_t n;
    bool has_failed;
    struct error *err;
};

static void fail(struct reader *reader, const char *what, const char *detail)
{
    if (reader->has_failed)
        return;
    reader->has_failed = true;
    error_set(reader->err, "%s, line %lu: %s%s.", reader->name,
              (unsigned long)XML_GetCurrentLineNumber(reader->parser), what, detail);
    XML_StopParser(reader->parser, XML_FALSE);
}

static void fail_memory(struct reader *reader)
{
    fail(reader, "out of memory", "");
}

static const char *local_name(const char *name)
{
    const char *separator = strrchr(name, SEPARATOR);
    return separator ? separator + 1 : name;
}

/* ---- attributes ---- */

static const char *attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (!strcmp(attributes[0], name))
            return attributes[1];
    return NULL;
}

/* Reads a decimal number, or a hexadecimal one after 0x. Returns false, and leaves *out unchanged, when the
 * attribute is missing. */
static bool number(struct reader *reader, const char **attributes, const char *name, uint64_t *out)
{
    const char *text = attribute(attributes, name);
    if (!text)
        return false;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? text + 2 : text;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(digits, &end, hex ? 16 : 10);
    if (!strchr("0123456789abcdefABCDEF", *digits) || !*digits || *end || errno) {
        fail(reader, "this is not a number: ", text);
        return false;
    }
    *out = value;
    return true;
}

static void add_guid(struct reader *reader, const char **attributes)
{
    struct syst_guid value, mask;
    const char *id = attribute(attributes, "ID"), *mask_text = attribute(attributes, "Mask");
    memset(&mask, 0xFF, sizeof mask);
    if (!id || !syst_guid_parse(&value, id))
        fail(reader, "a Guid needs an ID of the form {8-4-4-4-12}, not ", id ? id : "none");
    else if (mask_text && !syst_guid_parse(&mask, mask_text))
        fail(reader, "a Mask of a Guid has the form {8-4-4-4-12}, not ", mask_text);
    else if (!syst_client_add_guid(reader->client, &value, &mask))
        fail_memory(reader);
}

static void begin_entry(struct reader *reader, const char **attributes)
{
    uint64_t file = 0, line = 0;
    reader->entry = (struct syst_entry){.mask = UINT64_MAX};
    if (!attribute(attributes, "ID"))
        fail(reader, "an entry needs an ID", "");
    number(reader, attributes, "ID", &reader->entry.id);
    if (number(reader, attributes, "Mask", &reader->entry.mask)) {
        /* A mask of all bits is written in the width of the table. */
        bool is_32 = reader->table == SYST_TABLE_CATALOG32 || reader->table == SYST_TABLE_FILES;
        if (reader->entry.mask == (is_32 ? UINT32_MAX : UINT64_MAX))
            reader->entry.mask = UINT64_MAX;
    }
    reader->entry.has_file = number(reader, attributes, "File", &file);
    reader->entry.has_line = number(reader, attributes, "Line", &line);
    reader->entry.file = (uint32_t)file;
    reader->entry.line = (uint32_t)line;
    reader->n = 0;
    reader->inside = true;
}

/* ---- elements ---- */

struct known {
    const char *list, *entry;
    int table;
};

static const struct known known_lists[] = {
    {"Builds", "Build", SYST_TABLE_BUILDS},        {"Modules", "Module", SYST_TABLE_MODULES},
    {"SourceFiles", "File", SYST_TABLE_FILES},     {"Catalog32", "Format", SYST_TABLE_CATALOG32},
    {"Catalog64", "Format", SYST_TABLE_CATALOG64}, {"Short32", "Format", SYST_TABLE_SHORT32},
    {"Short64", "Format", SYST_TABLE_SHORT64},     {"Write", "Protocol", SYST_TABLE_PROTOCOLS},
};

static int table_of(const char *list)
{
    for (size_t i = 0; i < sizeof known_lists / sizeof *known_lists; i++)
        if (!strcmp(known_lists[i].list, list))
            return known_lists[i].table;
    return -1;
}

static bool is_entry_of(int table, const char *entry)
{
    for (size_t i = 0; i < sizeof known_lists / sizeof *known_lists; i++)
        if (known_lists[i].table == table)
            return !strcmp(known_lists[i].entry, entry);
    return false;
}

static void on_start(void *user, const char *qualified, const char **attributes)
{
    struct reader *reader = user;
    const char *name = local_name(qualified);
    int depth = reader->depth++;
    if (reader->has_failed)
        return;
    if (depth == 0) {
        if (strcmp(name, "Collateral") != 0)
            fail(reader, "a collateral file begins with syst:Collateral, not with ", name);
    } else if (depth == 1 && !strcmp(name, "Client")) {
        const char *client = attribute(attributes, "Name");
        reader->client = syst_collateral_add(reader->collateral, client ? client : "", reader->base);
        if (!reader->client)
            fail_memory(reader);
    } else if (depth == 2) {
        reader->table = reader->client ? table_of(name) : -1;
    } else if (depth == 3 && reader->client) {
        if (!strcmp(name, "Guid"))
            add_guid(reader, attributes);
        else if (is_entry_of(reader->table, name))
            begin_entry(reader, attributes);
    } else if (depth >= DEPTH_MAX) {
        fail(reader, "elements lie too deep in one another", "");
    }
}

static void on_end(void *user, const char *qualified)
{
    struct reader *reader = user;
    int depth = --reader->depth;
    if (reader->has_failed)
        return;
    if (depth == 3 && reader->inside) {
        reader->inside = false;
        reader->entry.text = reader->text;
        reader->entry.n = reader->n;
        if (!syst_client_add(reader->client, (enum syst_table_kind)reader->table, &reader->entry))
            fail_memory(reader);
    } else if (depth == 2) {
        reader->table = -1;
    } else if (depth == 1) {
        reader->client = NULL;
    }
}

static void on_text(void *user, const char *text, int n)
{
    struct reader *reader = user;
    if (reader->has_failed || !reader->inside)
        return;
    if ((size_t)n > TEXT_MAX - reader->n) {
        fail(reader, "the text of an entry is longer than any message", "");
        return;
    }
    memcpy(reader->text + reader->n, text, (size_t)n);
    reader->n += (size_t)n;
}

static void on_doctype(void *user, const char *name, const char *system, const char *public, int internal)
{
    fail(user, "a document type definition has no place in a collateral file; remove it", "");
}

/* ---- files ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool syst_xml_read(struct syst_collateral *collateral, const char *name, const char *bytes, size_t n,
                   struct error *err)
{
    struct reader reader = {
        .collateral = collateral, .name = name, .base = base_name(name), .table = -1, .err = err};
    reader.parser = XML_ParserCreateNS(NULL, SEPARATOR);
    reader.text = malloc(TEXT_MAX);
    if (!reader.parser || !reader.text) {
        error_set(err, "Out of memory while reading %s.", name);
        reader.has_failed = true;
        goto done;
    }
    XML_SetUserData(reader.parser, &reader);
    XML_SetElementHandler(reader.parser, on_start, on_end);
    XML_SetCharacterDataHandler(reader.parser, on_text);
    XML_SetStartDoctypeDeclHandler(reader.parser, on_doctype);
    for (size_t at = 0; !reader.has_failed;) {
        size_t piece = n - at < PIECE ? n - at : PIECE;
        bool last = at + piece == n;
        if (XML_Parse(reader.parser, bytes + at, (int)piece, last) != XML_STATUS_OK)
            fail(&reader, XML_ErrorString(XML_GetErrorCode(reader.parser)), "");
        at += piece;
        if (last)
            break;
    }
done:
    free(reader.text);
    if (reader.parser)
        XML_ParserFree(reader.parser);
    return !reader.has_failed;
}

bool syst_xml_load(struct syst_collateral *collateral, const char *path, struct error *err)
{
    struct wholefile file;
    if (!wholefile_read(&file, "collateral file", path, FILE_MOST, err))
        return false;
    bool done = syst_xml_read(collateral, path, file.bytes, file.n, err);
    free(file.bytes);
    return done;
}
