/* message.h - reads one MIPI SyS-T message: header, optional fields, payload. */
#ifndef DIALECT_SYST_MESSAGE_H
#define DIALECT_SYST_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum syst_type {
    SYST_BUILD = 0,
    SYST_SHORT32 = 1,
    SYST_STRING = 2,
    SYST_CATALOG = 3,
    SYST_RAW = 6,
    SYST_SHORT64 = 7,
    SYST_CLOCK = 8,
    SYST_SBD = 9, /* structured binary data, newer than the specification's text */
};

enum syst_subtype {
    SYST_BUILD_COMPACT32 = 0,
    SYST_BUILD_COMPACT64 = 1,
    SYST_BUILD_LONG = 2,
    SYST_STRING_GENERIC = 1,
    SYST_STRING_ENTER = 2,
    SYST_STRING_EXIT = 3,
    SYST_STRING_INVALID = 5,
    SYST_STRING_ASSERT = 7,
    SYST_STRING_PRINTF32 = 11,
    SYST_STRING_PRINTF64 = 12,
    SYST_CATALOG_ID32_P32 = 1,
    SYST_CATALOG_ID64_P32 = 2,
    SYST_CATALOG_ID32_P64 = 5,
    SYST_CATALOG_ID64_P64 = 6,
    SYST_CLOCK_SYNC = 1,
};

/* The result of reading a message. */
enum syst_status {
    SYST_OK,
    SYST_UNKNOWN_TYPE,
    SYST_TOO_SHORT,
    SYST_TOO_LONG,
    SYST_CHECKSUM_ERROR,
    SYST_MISSING_COLLATERAL,
};

/* The longest message there can be: header, GUID, location, length, time stamp, payload, checksum. */
enum { SYST_MESSAGE_MAX = 4 + 16 + 9 + 2 + 8 + 65535 + 4 };

/* A parsed message. */
struct syst_message {
    enum syst_status status;
    uint8_t type, subtype, severity;
    bool has_guid, has_location, has_timestamp, has_checksum;
    uint8_t origin; /* 0 with a GUID */
    uint16_t unit;
    uint8_t guid[16];         /* in printing order */
    bool location_is_address; /* else file and line */
    uint64_t address;
    uint32_t file, line;
    uint64_t timestamp;
    uint32_t checksum;
    uint64_t value; /* SHORT, compact BUILD */
    const uint8_t *payload;
    size_t payload_n;
    size_t size; /* bytes of the whole message */
};

/* Reads a message of exactly these n bytes. message->payload points into them. */
struct syst_message syst_message_parse(const uint8_t *bytes, size_t n);

/* True when it is only a number, SHORT or a compact BUILD, which does not contain its sender. */
bool syst_message_is_number(const struct syst_message *message);

/* True when its kind exists, and no reserved bit is set. */
bool syst_message_is_plausible(const uint8_t *bytes, size_t n);

/* Returns the name of a status; static. */
const char *syst_status_text(enum syst_status status);

/* What n bytes may be the start of, for framings without marks. */
enum syst_claim {
    SYST_CLAIM_NONE,   /* not a message, or not one with a length */
    SYST_CLAIM_OPEN,   /* more bytes are needed to decide */
    SYST_CLAIM_WEAK,   /* a short form; every eighth word looks like one */
    SYST_CLAIM_STRONG, /* a message with length and valid fields */
};

/* Returns what n bytes may be the start of. For WEAK and STRONG, sets *size to the claimed size in bytes,
 * which may be more than n. */
enum syst_claim syst_claim(const uint8_t *bytes, size_t n, size_t *size);

/* True when a header word can be that of a message with a length field. */
bool syst_header_has_length(uint32_t header);

#endif
