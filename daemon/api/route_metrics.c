/* route_metrics.c - the route for collectors of metrics: those of the profile and of the daemon. */
#include "export/export.h"
#include "export/export_prometheus.h"
#include "api/process_metrics.h"
#include "api/routes.h"
#include "api/site.h"

/* The roster is locked before the snapshot is taken, so that successive scrapes never go back to an older one. */
static void answer_metrics(struct site *site, const struct request *request, struct response *response)
{
    pthread_mutex_lock(&site->roster_lock);
    struct snapshot *snapshot = site_snapshot(site, response);
    if (snapshot) {
        response->media_type = exporter_find("prometheus")->media_type;
        prometheus_write(snapshot, &site->roster, &response->body.sink);
        process_write(&response->body.sink);
        snapshot_unref(snapshot);
    }
    pthread_mutex_unlock(&site->roster_lock);
}

const struct route routes_metrics[] = {
    {.method = "GET",
     .path = "/metrics",
     .answer = answer_metrics,
     .id = "metrics",
     .summary = "Counters of link, target and functions in the Prometheus text format.",
     .media_type = "text/plain",
     .errors = {503}},
    {0},
};
