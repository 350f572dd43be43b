/* figure.h - writes figures of the link and of functions (snapshot/figures.h) as JSON. */
#ifndef EXPORT_FIGURE_H
#define EXPORT_FIGURE_H

#include "base/json.h"
#include "snapshot/figures.h"

/* Writes one figure of `row` as a member, null while it is not `known`. */
void figure_write(const struct figure *figure, const void *row, bool known, struct json *json);

#endif
