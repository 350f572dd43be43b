/* words.c - writes the text of a SyS-T message. */
#include "dialect/syst/words.h"

#include <string.h>

#include "dialect/syst/printf.h"
#include "protocol/bytes.h"

static uint64_t take_u64(struct mp_bytes *payload)
{
    uint64_t low = mp_bytes_u32(payload);
    return low | (uint64_t)mp_bytes_u32(payload) << 32;
}

/* Returns the size of the text: up to the first NUL, or to the end, since senders may omit the NUL. */
static size_t text_size(const struct mp_bytes *payload)
{
    const uint8_t *nul = payload->left ? memchr(payload->at, 0, payload->left) : NULL;
    return nul ? (size_t)(nul - payload->at) : payload->left;
}

/* Writes an entry's format with one argument: a number of any width, without the bits of the entry's mask. */
static void write_entry(const struct syst_entry *entry, uint64_t value, struct syst_text *text)
{
    uint8_t argument[8];
    value &= ~entry->mask;
    mp_store_u32(argument, (uint32_t)value);
    mp_store_u32(argument + 4, (uint32_t)(value >> 32));
    struct mp_bytes arguments = mp_bytes_over(argument, sizeof argument);
    syst_printf(text, entry->text, entry->n, &arguments, false);
}

/* ---- payloads ---- */

static enum syst_status write_build(const struct syst_message *message, struct syst_text *text)
{
    if (message->subtype == SYST_BUILD_COMPACT32 || message->subtype == SYST_BUILD_COMPACT64) {
        syst_text_hex(text, message->value, message->subtype == SYST_BUILD_COMPACT32 ? 8 : 16);
        return SYST_OK;
    }
    if (message->subtype != SYST_BUILD_LONG)
        return SYST_UNKNOWN_TYPE;
    struct mp_bytes payload = mp_bytes_over(message->payload, message->payload_n);
    uint64_t build = take_u64(&payload);
    size_t n = text_size(&payload);
    if (payload.ran_short)
        return SYST_TOO_SHORT;
    syst_text_hex(text, build, 16);
    if (n) {
        syst_text_char(text, ' ');
        syst_text_bytes(text, payload.at, n);
    }
    return SYST_OK;
}

static void write_short(const struct syst_message *message, const struct syst_key *key,
                        struct syst_text *text)
{
    bool is_32 = message->type == SYST_SHORT32;
    const struct syst_entry *entry =
        key->client
            ? syst_client_find(key->client, is_32 ? SYST_TABLE_SHORT32 : SYST_TABLE_SHORT64, message->value)
            : NULL;
    if (entry)
        write_entry(entry, message->value, text);
    else
        syst_text_hex(text, message->value, is_32 ? 8 : 16);
}

static enum syst_status write_string(const struct syst_message *message, struct syst_text *text)
{
    struct mp_bytes payload = mp_bytes_over(message->payload, message->payload_n);
    size_t n = text_size(&payload);
    switch (message->subtype) {
    case SYST_STRING_GENERIC:
    case SYST_STRING_ENTER:
    case SYST_STRING_EXIT:
    case SYST_STRING_INVALID:
    case SYST_STRING_ASSERT: syst_text_bytes(text, payload.at, n); return SYST_OK;
    case SYST_STRING_PRINTF32:
    case SYST_STRING_PRINTF64: {
        const char *format = (const char *)mp_bytes_take(&payload, n);
        mp_bytes_take(&payload, payload.left ? 1 : 0);
        return syst_printf(text, format, n, &payload, message->subtype == SYST_STRING_PRINTF64)
                   ? SYST_OK
                   : SYST_TOO_SHORT;
    }
    default: return SYST_UNKNOWN_TYPE;
    }
}

static bool catalog_is_64(const struct syst_message *message)
{
    return message->subtype == SYST_CATALOG_ID64_P32 || message->subtype == SYST_CATALOG_ID64_P64;
}

/* Reads the number of the format. Returns false when there is none. */
static bool catalog_id(const struct syst_message *message, struct mp_bytes *payload, uint64_t *id)
{
    *payload = mp_bytes_over(message->payload, message->payload_n);
    *id = catalog_is_64(message) ? take_u64(payload) : mp_bytes_u32(payload);
    return !payload->ran_short;
}

static const struct syst_entry *catalog_entry(const struct syst_message *message, const struct syst_key *key)
{
    struct mp_bytes payload;
    uint64_t id;
    if (message->type != SYST_CATALOG || !key->client || !catalog_id(message, &payload, &id))
        return NULL;
    return syst_client_find(key->client, catalog_is_64(message) ? SYST_TABLE_CATALOG64 : SYST_TABLE_CATALOG32,
                            id);
}

/* Some systems (Zephyr) send the address of the format as its number, so without collateral it is read from the
 * program. */
static bool read_format(const struct syst_key *key, uint64_t id, char *out, size_t n)
{
    return !key->client && key->read_text && key->read_text(key->read_text_user, id, out, n);
}

static enum syst_status write_catalog(const struct syst_message *message, const struct syst_key *key,
                                      struct syst_text *text)
{
    bool wide = message->subtype == SYST_CATALOG_ID32_P64 || message->subtype == SYST_CATALOG_ID64_P64;
    if (!wide && message->subtype != SYST_CATALOG_ID32_P32 && message->subtype != SYST_CATALOG_ID64_P32)
        return SYST_UNKNOWN_TYPE;
    struct mp_bytes payload;
    uint64_t id;
    char format[1024];
    if (!catalog_id(message, &payload, &id))
        return SYST_TOO_SHORT;
    const struct syst_entry *entry = catalog_entry(message, key);
    if (entry)
        return syst_printf(text, entry->text, entry->n, &payload, wide) ? SYST_OK : SYST_TOO_SHORT;
    if (read_format(key, id, format, sizeof format))
        return syst_printf(text, format, strlen(format), &payload, wide) ? SYST_OK : SYST_TOO_SHORT;
    syst_text_hex(text, id, catalog_is_64(message) ? 16 : 8);
    if (payload.left) {
        syst_text_char(text, ' ');
        syst_text_dump(text, payload.at, payload.left);
    }
    return SYST_MISSING_COLLATERAL;
}

static enum syst_status write_clock(const struct syst_message *message, struct syst_text *text)
{
    struct mp_bytes payload = mp_bytes_over(message->payload, message->payload_n);
    if (message->subtype != SYST_CLOCK_SYNC)
        return SYST_UNKNOWN_TYPE;
    uint64_t clock = take_u64(&payload), hz = take_u64(&payload);
    if (payload.ran_short)
        return SYST_TOO_SHORT;
    syst_text_word(text, "clock=");
    syst_text_hex(text, clock, 16);
    syst_text_word(text, " freq=");
    syst_text_decimal(text, hz);
    return SYST_OK;
}

static enum syst_status write_sbd(const struct syst_message *message, struct syst_text *text)
{
    struct mp_bytes payload = mp_bytes_over(message->payload, message->payload_n);
    bool id_is_64 = message->subtype & 1, has_name = message->subtype & 2;
    if (message->subtype >= 16)
        return SYST_UNKNOWN_TYPE;
    syst_text_hex(text, id_is_64 ? take_u64(&payload) : mp_bytes_u32(&payload), id_is_64 ? 16 : 8);
    switch (message->subtype >> 2) {
    case 0: break;
    case 1:
        syst_text_word(text, " @");
        syst_text_hex(text, mp_bytes_u16(&payload), 4);
        break;
    case 2:
        syst_text_word(text, " @");
        syst_text_hex(text, mp_bytes_u32(&payload), 8);
        break;
    default:
        syst_text_word(text, " @");
        syst_text_hex(text, take_u64(&payload), 16);
        break;
    }
    if (has_name) {
        size_t n = text_size(&payload);
        syst_text_char(text, ' ');
        syst_text_bytes(text, payload.at, n);
        mp_bytes_take(&payload, n + 1);
    }
    if (payload.ran_short)
        return SYST_TOO_SHORT;
    syst_text_char(text, ' ');
    syst_text_dump(text, payload.at, payload.left);
    return SYST_OK;
}

static enum syst_status write_payload(const struct syst_message *message, const struct syst_key *key,
                                      struct syst_text *text)
{
    switch (message->type) {
    case SYST_BUILD: return write_build(message, text);
    case SYST_SHORT32:
    case SYST_SHORT64: write_short(message, key, text); return SYST_OK;
    case SYST_STRING: return write_string(message, text);
    case SYST_CATALOG: return write_catalog(message, key, text);
    case SYST_RAW: syst_text_dump(text, message->payload, message->payload_n); return SYST_OK;
    case SYST_CLOCK: return write_clock(message, text);
    case SYST_SBD: return write_sbd(message, text);
    default: return SYST_UNKNOWN_TYPE;
    }
}

void syst_words_payload(struct syst_message *message, const struct syst_key *key, const uint8_t *bytes,
                        struct syst_text *text)
{
    if (message->status == SYST_OK)
        message->status = write_payload(message, key, text);
    /* A printf or SBD message that is too short may have been written in part. */
    if (message->status != SYST_OK && !text->n)
        syst_text_dump(text, bytes, message->size);
}

/* ---- type, location, origin ---- */

static const char *subtype_word(const struct syst_message *message)
{
    static const char *const builds[] = {"COMPACT32", "COMPACT64", "LONG"};
    static const char *const strings[] = {
        [1] = "GENERIC", [2] = "ENTER",     [3] = "EXIT",     [5] = "INVPARAM",
        [7] = "ASSERT",  [11] = "PRINTF32", [12] = "PRINTF64"};
    static const char *const catalogs[] = {
        [1] = "ID32P32", [2] = "ID64P32", [5] = "ID32P64", [6] = "ID64P64"};
    static const char *const clocks[] = {[1] = "SYNC"};
#define WORD(words) (message->subtype < sizeof words / sizeof *words ? words[message->subtype] : NULL)
    switch (message->type) {
    case SYST_BUILD: return WORD(builds);
    case SYST_STRING: return WORD(strings);
    case SYST_CATALOG: return WORD(catalogs);
    case SYST_CLOCK: return WORD(clocks);
    default: return NULL;
    }
#undef WORD
}

void syst_words_type(const struct syst_message *message, const struct syst_key *key, struct syst_text *text)
{
    static const char *const types[16] = {"BUILD",   "SHORT32", "STRING", "CATALOG", [SYST_RAW] = "RAW",
                                          "SHORT64", "CLOCK",   "SBD"};
    if (types[message->type])
        syst_text_word(text, types[message->type]);
    else
        syst_text_hex(text, message->type, 2);
    if (message->type == SYST_SHORT32 || message->type == SYST_SHORT64)
        return;
    syst_text_char(text, ':');
    const char *word = subtype_word(message);
    const struct syst_entry *protocol =
        message->type == SYST_RAW && key->client
            ? syst_client_find(key->client, SYST_TABLE_PROTOCOLS, message->subtype)
            : NULL;
    if (word)
        syst_text_word(text, word);
    else if (protocol)
        write_entry(&(struct syst_entry){.text = protocol->text, .n = protocol->n}, message->subtype, text);
    else if (message->type == SYST_RAW)
        syst_text_decimal(text, message->subtype);
    else
        syst_text_hex(text, message->subtype, 2);
}

static void write_file(const struct syst_key *key, uint32_t file, uint32_t line, struct syst_text *text)
{
    const struct syst_entry *entry =
        key->client ? syst_client_find(key->client, SYST_TABLE_FILES, file) : NULL;
    if (entry)
        syst_text_bytes(text, entry->text, entry->n);
    else
        syst_text_decimal(text, file);
    syst_text_char(text, ':');
    syst_text_decimal(text, line);
}

void syst_words_location(const struct syst_message *message, const struct syst_key *key,
                         struct syst_text *text)
{
    bool has_address = message->has_location && message->location_is_address;
    const struct syst_entry *entry = catalog_entry(message, key);
    if (message->has_location && !has_address)
        write_file(key, message->file, message->line, text);
    else if (entry && entry->has_file)
        write_file(key, entry->file, entry->line, text);
    if (has_address && text->n)
        syst_text_char(text, ' ');
    if (has_address)
        syst_text_hex(text, message->address, message->address >> 32 ? 16 : 8);
}

void syst_words_origin(const struct syst_message *message, const struct syst_key *key, struct syst_text *text)
{
    if (syst_message_is_number(message))
        return; /* a number has no sender */
    const struct syst_entry *module = key->client && !message->has_guid
                                          ? syst_client_find(key->client, SYST_TABLE_MODULES, message->origin)
                                          : NULL;
    struct syst_guid guid;
    memcpy(guid.bytes, message->guid, sizeof guid.bytes);
    if (module)
        syst_text_bytes(text, module->text, module->n);
    else if (key->client && message->has_guid)
        syst_text_word(text, syst_client_name(key->client));
    else if (message->has_guid)
        syst_guid_write(&guid, text);
    else
        syst_text_hex(text, message->origin, 2);
}
