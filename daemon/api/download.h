/* download.h - an export on its way to a client: made while it is sent, so that a large one is never in
 * memory as a whole. */
#ifndef API_DOWNLOAD_H
#define API_DOWNLOAD_H

#include "export/export.h"
#include "server/request.h"
#include "server/response.h"

/* Makes the answer what `exporter` writes of `snapshot`, compressed when the request takes that. The
 * snapshot's reference goes to the answer, which keeps it until all is written. A 503 when there is no pipe,
 * thread or memory left.
 *
 * An exporter that fails half-way cannot report it any more: the answer then ends without its last chunk
 * (RFC 9112, section 8), which clients report as an answer that broke off. */
void download_start(const struct exporter *exporter, struct snapshot *snapshot, const struct request *request,
                    struct response *response);

#endif
