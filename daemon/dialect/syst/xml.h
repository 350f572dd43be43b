/* xml.h - reads SyS-T collateral files. */
#ifndef DIALECT_SYST_XML_H
#define DIALECT_SYST_XML_H

#include "dialect/syst/collateral.h"

/* Adds the clients of one file with n bytes; `name` is used in error messages and exports. Returns false,
 * with a sentence that contains the line, when it is not XML, not a collateral file, has a wrong number or
 * GUID, or has a document type definition. No collateral file needs one, and every XML bomb does. */
bool syst_xml_read(struct syst_collateral *collateral, const char *name, const char *bytes, size_t n,
                   struct error *err);

/* Does the same with the file at `path`, which must be a regular file of at most 64 MiB. */
bool syst_xml_load(struct syst_collateral *collateral, const char *path, struct error *err);

#endif
