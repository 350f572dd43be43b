/* schemas.h - what the JSON of a snapshot holds, for the OpenAPI document. */
#ifndef API_SCHEMAS_H
#define API_SCHEMAS_H

#include "base/json.h"

/* Writes "components" with the schemas that a route may name: "snapshot", "target" and so on. Other members
 * that are no figures are left out; a schema forbids none. */
void schemas_write(struct json *json);

/* Writes {"$ref": ...} under `key` for the schema of that name. */
void schemas_refer(const char *key, const char *name, struct json *json);

#endif
