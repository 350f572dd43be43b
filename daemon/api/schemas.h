/* schemas.h - what the JSON of answers and events holds, for the OpenAPI document.
 *
 * A member is described here and nowhere else, except figures of the link and of functions, accounts of the
 * ledger and figures for limits, which have tables of their own. tests/contract/openapi.py holds all of it
 * against what a daemon writes. */
#ifndef API_SCHEMAS_H
#define API_SCHEMAS_H

#include "base/json.h"

/* A row begins a schema (`schema` is its name, the rest is 0), or is a member of the one before.
 *
 * `type` is a word of schema_types in schemas.c, such as "ticks" or "string", or "&NAME" for an object of
 * that schema. "[]" before it: an array of these; "?" behind it: or null. With the key "+" the members of the
 * schema that `type` names are members of this one, too. */
struct schema_row {
    const char *key, *type;
    const char *help;  /* a sentence or more; of a reference NULL where the schema says enough */
    const char *words; /* the values there are, with spaces between; NULL: any */
    const char *schema;
};

/* Each ends with a row of zeros. */
extern const struct schema_row schemas_of_snapshot[]; /* what a snapshot has, and so events and orders */
extern const struct schema_row schemas_of_answers[];  /* what the other routes answer and take */

/* Writes "components" with all schemas. */
void schemas_write(struct json *json);

/* Writes {"$ref": ...} under `key` for the schema of that name. */
void schemas_refer(const char *key, const char *name, struct json *json);

/* Writes under `key` an object that refers to the schema of each event, by the event's name. */
void schemas_refer_to_events(const char *key, struct json *json);

#endif
