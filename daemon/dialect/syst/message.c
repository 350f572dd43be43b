/* message.c - reads one MIPI SyS-T message: header, optional fields, payload. */
#include "dialect/syst/message.h"

#include <string.h>

#include "dialect/syst/crc.h"
#include "protocol/bytes.h"

/* Bits of the header word. */
enum {
    RESERVED_7 = 1 << 7,
    LOCATION = 1 << 8,
    LENGTH = 1 << 9,
    CHECKSUM = 1 << 10,
    TIMESTAMP = 1 << 11,
    GUID = 1 << 23,
};
#define RESERVED_TOP 0xC0000000u

static uint8_t type_of(uint32_t header)
{
    return header & 0xF;
}

static uint8_t subtype_of(uint32_t header)
{
    return header >> 24 & 0x3F;
}

static uint64_t bytes_u64(struct mp_bytes *bytes)
{
    uint64_t low = mp_bytes_u32(bytes);
    return low | (uint64_t)mp_bytes_u32(bytes) << 32;
}

/* ---- short forms: the whole message is one number ---- */

/* Returns the size of a short form; 0 when it is not one. */
static size_t short_size(uint32_t header)
{
    switch (type_of(header)) {
    case SYST_SHORT32: return 4;
    case SYST_SHORT64: return 8;
    case SYST_BUILD:
        return subtype_of(header) == SYST_BUILD_COMPACT32   ? 4
               : subtype_of(header) == SYST_BUILD_COMPACT64 ? 8
                                                            : 0;
    default: return 0;
    }
}

/* Compact build numbers are split around the subtype: bits 0 to 19 are in bits 4 to 23, the rest begins at
 * bit 30. */
static uint64_t compact_value(uint64_t word)
{
    return (word >> 4 & 0xFFFFF) | word >> 30 << 20;
}

static void parse_short(struct syst_message *message, struct mp_bytes *bytes, size_t size)
{
    uint64_t word = size == 4 ? mp_bytes_u32(bytes) : bytes_u64(bytes);
    if (message->type == SYST_BUILD) {
        message->value = compact_value(word);
    } else {
        message->value = word >> 4;
        message->subtype = 0;
    }
    message->status = bytes->ran_short ? SYST_TOO_SHORT : bytes->left ? SYST_TOO_LONG : SYST_OK;
}

/* ---- messages with fields ---- */

static void parse_location(struct syst_message *message, struct mp_bytes *bytes)
{
    switch (mp_bytes_u8(bytes) & 3) {
    case 0:
        message->file = mp_bytes_u16(bytes);
        message->line = mp_bytes_u16(bytes);
        break;
    case 1:
        message->file = mp_bytes_u32(bytes);
        message->line = mp_bytes_u32(bytes);
        break;
    case 2:
        message->location_is_address = true;
        message->address = mp_bytes_u32(bytes);
        break;
    default:
        message->location_is_address = true;
        message->address = bytes_u64(bytes);
        break;
    }
}

static void parse_fields(struct syst_message *message, uint32_t header, const uint8_t *start,
                         struct mp_bytes *bytes)
{
    mp_bytes_take(bytes, 4);
    message->severity = header >> 4 & 7;
    message->has_guid = header & GUID;
    message->has_location = header & LOCATION;
    message->has_timestamp = header & TIMESTAMP;
    message->has_checksum = header & CHECKSUM;
    message->unit = (uint16_t)(header >> 12 & (message->has_guid ? 0x7FF : 0xF));
    message->origin = message->has_guid ? 0 : header >> 16 & 0x7F;
    const uint8_t *guid = message->has_guid ? mp_bytes_take(bytes, sizeof message->guid) : NULL;
    if (guid)
        memcpy(message->guid, guid, sizeof message->guid);
    if (message->has_location)
        parse_location(message, bytes);
    size_t length = header & LENGTH ? mp_bytes_u16(bytes) : 0;
    if (message->has_timestamp)
        message->timestamp = bytes_u64(bytes);
    size_t tail = message->has_checksum ? 4 : 0;
    if (!(header & LENGTH))
        length = bytes->left > tail ? bytes->left - tail : 0;
    message->payload = mp_bytes_take(bytes, length);
    message->payload_n = message->payload ? length : 0;
    size_t covered = (size_t)(bytes->at - start);
    if (message->has_checksum)
        message->checksum = mp_bytes_u32(bytes);
    if (bytes->ran_short)
        message->status = SYST_TOO_SHORT;
    else if (bytes->left)
        message->status = SYST_TOO_LONG;
    else if (message->has_checksum && syst_crc(start, covered) != message->checksum)
        message->status = SYST_CHECKSUM_ERROR;
}

struct syst_message syst_message_parse(const uint8_t *start, size_t n)
{
    struct syst_message message = {.size = n};
    struct mp_bytes bytes = mp_bytes_over(start, n);
    if (n < 4) {
        message.status = SYST_TOO_SHORT;
        return message;
    }
    uint32_t header = mp_load_u32(start);
    message.type = type_of(header);
    message.subtype = subtype_of(header);
    if (short_size(header))
        parse_short(&message, &bytes, short_size(header));
    else
        parse_fields(&message, header, start, &bytes);
    return message;
}

bool syst_message_is_number(const struct syst_message *message)
{
    return message->type == SYST_SHORT32 || message->type == SYST_SHORT64 ||
           (message->type == SYST_BUILD &&
            (message->subtype == SYST_BUILD_COMPACT32 || message->subtype == SYST_BUILD_COMPACT64));
}

const char *syst_status_text(enum syst_status status)
{
    static const char *const texts[] = {
        [SYST_OK] = "OK",
        [SYST_UNKNOWN_TYPE] = "UNKNOWN_TYPE",
        [SYST_TOO_SHORT] = "TOO_SHORT",
        [SYST_TOO_LONG] = "TOO_LONG",
        [SYST_CHECKSUM_ERROR] = "CHECKSUM_ERROR",
        [SYST_MISSING_COLLATERAL] = "MISSING_COLLATERAL",
    };
    return texts[status];
}

/* ---- claims ---- */

/* Returns the fewest payload bytes of a message of that kind; SIZE_MAX when there is no such kind. */
static size_t least_payload(uint8_t type, uint8_t subtype)
{
    switch (type) {
    case SYST_BUILD: return subtype == SYST_BUILD_LONG ? 8 : SIZE_MAX;
    case SYST_STRING:
        switch (subtype) {
        case SYST_STRING_GENERIC:
        case SYST_STRING_INVALID:
        case SYST_STRING_ASSERT: return 0;
        case SYST_STRING_ENTER:
        case SYST_STRING_EXIT:
        case SYST_STRING_PRINTF32:
        case SYST_STRING_PRINTF64: return 1;
        default: return SIZE_MAX;
        }
    case SYST_CATALOG:
        switch (subtype) {
        case SYST_CATALOG_ID32_P32:
        case SYST_CATALOG_ID32_P64: return 4;
        case SYST_CATALOG_ID64_P32:
        case SYST_CATALOG_ID64_P64: return 8;
        default: return SIZE_MAX;
        }
    case SYST_RAW: return 0;
    case SYST_CLOCK: return subtype == SYST_CLOCK_SYNC ? 16 : SIZE_MAX;
    case SYST_SBD: return subtype < 16 ? 4 : SIZE_MAX;
    default: return SIZE_MAX;
    }
}

bool syst_header_has_length(uint32_t header)
{
    return (header & LENGTH) && !(header & (RESERVED_7 | RESERVED_TOP)) &&
           least_payload(type_of(header), subtype_of(header)) != SIZE_MAX;
}

bool syst_message_is_plausible(const uint8_t *start, size_t n)
{
    uint32_t header = n < 4 ? 0 : mp_load_u32(start);
    if (short_size(header))
        return header && short_size(header) == n;
    return n >= 4 && !(header & (RESERVED_7 | RESERVED_TOP)) &&
           least_payload(type_of(header), subtype_of(header)) != SIZE_MAX;
}

static bool is_text(uint8_t byte)
{
    return byte >= ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == 0x1B;
}

enum syst_claim syst_claim(const uint8_t *start, size_t n, size_t *size)
{
    if (n < 4)
        return SYST_CLAIM_OPEN;
    uint32_t header = mp_load_u32(start);
    if (short_size(header)) {
        *size = short_size(header);
        return header ? SYST_CLAIM_WEAK : SYST_CLAIM_NONE; /* zeros are never sent, or are an idle line */
    }
    if (!syst_header_has_length(header))
        return SYST_CLAIM_NONE;
    struct mp_bytes bytes = mp_bytes_over(start, n);
    mp_bytes_take(&bytes, 4);
    if (header & GUID)
        mp_bytes_take(&bytes, 16);
    if (header & LOCATION) {
        uint8_t format = mp_bytes_u8(&bytes);
        if (format > 3)
            return SYST_CLAIM_NONE;
        mp_bytes_take(&bytes, format & 1 ? 8 : 4);
    }
    size_t length = mp_bytes_u16(&bytes);
    if (bytes.ran_short)
        return SYST_CLAIM_OPEN;
    size_t least = least_payload(type_of(header), subtype_of(header));
    if (length < least || (type_of(header) == SYST_CLOCK && length != least))
        return SYST_CLAIM_NONE;
    size_t fields = (size_t)(bytes.at - start) + (header & TIMESTAMP ? 8 : 0);
    if (type_of(header) == SYST_STRING && length > 0) {
        if (n <= fields)
            return SYST_CLAIM_OPEN;
        if (start[fields] && !is_text(start[fields]))
            return SYST_CLAIM_NONE;
    }
    *size = fields + length + (header & CHECKSUM ? 4 : 0);
    return SYST_CLAIM_STRONG;
}
