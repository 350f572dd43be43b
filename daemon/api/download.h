/* download.h - sends an export to a client. It is made while it is sent, so a large one is never in memory as a
 * whole. */
#ifndef API_DOWNLOAD_H
#define API_DOWNLOAD_H

#include "export/export.h"
#include "server/request.h"
#include "server/response.h"

/* Answers with the output of `exporter` for `snapshot`, compressed if the request accepts that. The answer takes
 * over the snapshot's reference and keeps it until all is written. Answers 503 without a pipe, thread or memory.
 *
 * If an exporter fails half-way, the status has been sent already. The answer then ends without its last chunk
 * (RFC 9112, section 8), which clients report as incomplete. */
void download_start(const struct exporter *exporter, struct snapshot *snapshot, const struct request *request,
                    struct response *response);

#endif
