/* site.c - passes a request through access checks, routes and compression. */
#include "api/site.h"

#include "base/scarcity.h"
#include "handoff/board.h"
#include "server/gzip.h"
#include "api/routes.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

bool site_init(struct site *site, const struct http_settings *settings, const struct listen_address *address,
               struct error *err)
{
    *site = (struct site){.settings = *settings};
    if (site->settings.heartbeat_ms == 0)
        site->settings.heartbeat_ms = 15000;
    if (site->settings.stuck_s == 0)
        site->settings.stuck_s = 60;
    if (site->settings.request_s == 0)
        site->settings.request_s = 15;
    uint32_t run;
    if (getrandom(&run, sizeof run, 0) != sizeof run)
        return error_set(err, "The system gives no random number.");
    snprintf(site->run, sizeof site->run, "%08x", run);

    if (!access_init(&site->access, address, settings->token_file, err))
        return false;
    if (!access_allow_frames(&site->access, settings->frame_origins, settings->frame_origin_n, err))
        goto no_files;
    if (!files_init(&site->files, settings->webroot, err))
        goto no_files;
    if (!pauses_init(&site->pauses)) {
        error_set(err, "The system gives no random number.");
        goto no_pauses;
    }
    site->cache = cache_new();
    if (!site->cache) {
        error_set(err, "Out of memory while preparing the web server.");
        goto no_cache;
    }
    roster_init(&site->roster, settings->metrics_functions ? settings->metrics_functions : ROSTER_USUAL);
    recorded_init(&site->recorded);
    pthread_mutex_init(&site->roster_lock, NULL);
    return true;

no_cache:
    pauses_fini(&site->pauses);
no_pauses:
    files_fini(&site->files);
no_files:
    access_fini(&site->access);
    return false;
}

void site_fini(struct site *site)
{
    pthread_mutex_destroy(&site->roster_lock);
    recorded_fini(&site->recorded);
    roster_fini(&site->roster);
    cache_free(site->cache);
    pauses_fini(&site->pauses);
    files_fini(&site->files);
    access_fini(&site->access);
}

struct snapshot *site_snapshot(struct site *site, struct response *response)
{
    struct snapshot *snapshot = board_read(site->settings.board);
    if (!snapshot) {
        response_problem(response, 503, "miniprofd has only just started: ask again in a second.");
        response_header(response, "Retry-After", "1");
    }
    return snapshot;
}

static void route_and_answer(struct site *site, struct request *request, struct response *response)
{
    if (!access_admit(&site->access, request, response))
        return;
    const char *method = strcmp(request->method, "HEAD") == 0 ? "GET" : request->method;
    request->route = route_find(method, request->path, &request->argument);
    if (!request->route) {
        char allowed[ROUTE_ALLOWED_SIZE];
        if (route_allowed(request->path, allowed)) {
            response_problem(response, 405, "%.200s takes %s only.", request->path, allowed);
            response_header(response, "Allow", "%s", allowed);
        } else {
            response_problem(response, 404, "There is nothing at %.200s.", request->path);
        }
        return;
    }
    if (strcmp(method, "POST") == 0 && !access_admit_post(request, response))
        return;
    uint64_t before = scarcity_here();
    request->route->answer(site, request, response);
    if (response->body.sink.failed || scarcity_here() != before)
        response_problem(response, 500, "Out of memory while preparing this answer.");
}

void site_answer(struct site *site, struct request *request, struct response *response)
{
    route_and_answer(site, request, response);
    if (!response_header_value(response, "Cache-Control"))
        response_header(response, "Cache-Control", "no-store");
    gzip_response(response, request->accept_encoding);
}
