/* guid.h - GUIDs as SyS-T writes them, and the made-up ones of clients that send none. */
#ifndef DIALECT_SYST_GUID_H
#define DIALECT_SYST_GUID_H

#include <stdbool.h>
#include <stdint.h>

#include "dialect/syst/text.h"

/* A GUID, its bytes in the order in which it is printed. */
struct syst_guid {
    uint8_t bytes[16];
};

/* Reads "{8-4-4-4-12}" digits, braces or not. False when it is none; *out is then undefined. */
bool syst_guid_parse(struct syst_guid *out, const char *text);

/* Writes "{8-4-4-4-12}". */
void syst_guid_write(const struct syst_guid *guid, struct syst_text *text);

/* Tells whether the GUID is `value` in the bits that `mask` has set. */
bool syst_guid_matches(const struct syst_guid *guid, const struct syst_guid *value,
                       const struct syst_guid *mask);

/* Both make up the GUID of a client that sends none: {00000000-MASTER-CHANNEL-ORIGIN00-000000000000}, as
 * comments in collateral files describe it; or, as the reference printer makes it, all zero but the origin in
 * the byte before that place. */
struct syst_guid syst_guid_of_origin(uint16_t master, uint16_t channel, uint8_t origin);
struct syst_guid syst_guid_of_printer(uint8_t origin);

#endif
