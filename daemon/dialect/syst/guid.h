/* guid.h - GUIDs in the notation of SyS-T, and made-up ones for clients that send none. */
#ifndef DIALECT_SYST_GUID_H
#define DIALECT_SYST_GUID_H

#include <stdbool.h>
#include <stdint.h>

#include "dialect/syst/text.h"

/* A GUID, its bytes in printing order. */
struct syst_guid {
    uint8_t bytes[16];
};

/* Reads "{8-4-4-4-12}" hex digits, with or without braces. Returns false when it is not a GUID; then *out is
 * undefined. */
bool syst_guid_parse(struct syst_guid *out, const char *text);

/* Writes "{8-4-4-4-12}". */
void syst_guid_write(const struct syst_guid *guid, struct syst_text *text);

/* True when the GUID equals `value` in the bits that are set in `mask`. */
bool syst_guid_matches(const struct syst_guid *guid, const struct syst_guid *value,
                       const struct syst_guid *mask);

/* Both make up the GUID of a client that sends none. The first is
 * {00000000-MASTER-CHANNEL-ORIGIN00-000000000000}, as described by comments in collateral files. The second
 * is that of the reference printer: all zero except the origin, one byte before that position. */
struct syst_guid syst_guid_of_origin(uint16_t master, uint16_t channel, uint8_t origin);
struct syst_guid syst_guid_of_printer(uint8_t origin);

#endif
