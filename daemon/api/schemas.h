/* schemas.h - describes the JSON of answers and events for the OpenAPI document.
 *
 * Members are described only here, except figures of the link and of functions, accounts of the ledger and
 * figures for limits, which have their own tables. tests/contract/openapi.py compares all of it with a daemon's
 * output. */
#ifndef API_SCHEMAS_H
#define API_SCHEMAS_H

#include "base/json.h"

/* A row begins a schema (`schema` is its name, the rest is 0), or is a member of the one before.
 *
 * `type` is a word of schema_types in schemas.c, such as "ticks" or "string", or "&NAME" for an object of that
 * schema. A prefix "[]" makes it an array, a suffix "?" allows null. The key "+" includes the members of the
 * schema that `type` names. */
struct schema_row {
    const char *key, *type;
    const char *help;  /* a sentence or more; NULL for a reference if its schema is enough */
    const char *words; /* the allowed values, separated by spaces; NULL: any */
    const char *schema;
};

/* Each ends with a row of zeros. */
extern const struct schema_row schemas_of_snapshot[]; /* of snapshots; events and orders use some of them */
extern const struct schema_row schemas_of_answers[];  /* of the other routes: answers and bodies */

/* Writes "components" with all schemas. */
void schemas_write(struct json *json);

/* Writes {"$ref": ...} under `key` for the schema of that name. */
void schemas_refer(const char *key, const char *name, struct json *json);

/* Writes under `key` an object that refers to the schema of each event, by the event's name. */
void schemas_refer_to_events(const char *key, struct json *json);

#endif
