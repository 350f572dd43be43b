/* openapi.h - the table of routes as an OpenAPI 3.1 document. */
#ifndef HTTP_OPENAPI_H
#define HTTP_OPENAPI_H

#include "base/json.h"

void openapi_write(const char *version, struct json *json);

#endif
