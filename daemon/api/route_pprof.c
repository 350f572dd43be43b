/* route_pprof.c - answers like a Go program's /debug/pprof/profile, so that `go tool pprof` can be pointed at
 * a microcontroller. */
#include "base/clock.h"
#include "handoff/board.h"
#include "export/export.h"
#include "server/connections.h"
#include "api/query.h"
#include "api/routes.h"
#include "api/site.h"

enum { PPROF_SECONDS = 30, PPROF_SECONDS_MOST = 3600, ANSWERS_MOST = 4 };

/* Waits `seconds` and returns the newest snapshot. NULL when the server stops or the client has gone. */
static struct snapshot *later_snapshot(struct board *board, uint64_t seconds, const atomic_bool *gone)
{
    uint64_t deadline_ms = clock_monotonic_ms() + seconds * 1000, now_ms;
    struct snapshot *newest = board_read(board);
    bool wanted = newest != NULL;
    while (wanted && (now_ms = clock_monotonic_ms()) < deadline_ms) {
        struct snapshot *next = board_wait(board, newest->sequence, deadline_ms - now_ms, gone);
        wanted = !board_closed(board) && !(gone && atomic_load(gone));
        if (!next)
            continue;
        snapshot_unref(newest);
        newest = next;
    }
    if (wanted)
        return newest;
    snapshot_unref(newest);
    return NULL;
}

static void answer_pprof(struct site *site, const struct request *request, struct response *response)
{
    uint64_t seconds = PPROF_SECONDS;
    struct error err;
    if (!query_numbers(request, &(struct request_number){"seconds", &seconds}, 1, response))
        return;
    if (seconds < 1 || seconds > PPROF_SECONDS_MOST) {
        response_problem(response, 400, "The parameter 'seconds' must be 1 to %d.", PPROF_SECONDS_MOST);
        return;
    }
    if (!response_take_slot(response, &site->profiles, ANSWERS_MOST, "such profiles"))
        return;
    const struct exporter *exporter = exporter_find("pprof");
    struct snapshot *older = site_snapshot(site, response);
    if (!older)
        return;
    if (!exporter_can(exporter, older, &err)) {
        response_problem(response, 409, "%s", err.text);
        snapshot_unref(older);
        return;
    }
    struct snapshot *newer =
        later_snapshot(site->settings.board, seconds, connection_gone(request->connection));
    struct snapshot *between = newer ? snapshot_since(newer, older) : NULL;
    if (between) {
        response->media_type = exporter->media_type;
        response_header(response, "Content-Disposition", "attachment; filename=\"profile.%s\"",
                        exporter->extension);
        exporter->write(between, &response->body.sink);
    } else {
        response_problem(response, 503, "miniprofd stops, or is out of memory: ask again later.");
    }
    snapshot_unref(between);
    snapshot_unref(newer);
    snapshot_unref(older);
}

const struct route routes_pprof[] = {
    {.method = "GET",
     .path = "/debug/pprof/profile",
     .answer = answer_pprof,
     .id = "pprof",
     .summary =
         "What the next seconds bring, for pprof and go tool pprof. The answer comes when they are over.",
     .media_type = "application/octet-stream",
     .query = {{"seconds", "How long to listen: 1 to 3600, 30 when left out."}},
     .errors = {400, 409, 503}},
    {0},
};
