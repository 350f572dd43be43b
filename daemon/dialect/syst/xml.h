/* xml.h - reads SyS-T collateral files. */
#ifndef DIALECT_SYST_XML_H
#define DIALECT_SYST_XML_H

#include "dialect/syst/collateral.h"

/* Adds the clients of one file, given as its n bytes; `name` names it in sentences and exports. False with a
 * sentence that names the line: not XML, not a collateral file, a number or GUID that is none, or a document
 * type definition, which no collateral file needs and every XML bomb does. */
bool syst_xml_read(struct syst_collateral *collateral, const char *name, const char *bytes, size_t n,
                   struct error *err);

/* Does the same with the file at `path`, which must be a regular file of at most 64 MiB. */
bool syst_xml_load(struct syst_collateral *collateral, const char *path, struct error *err);

#endif
