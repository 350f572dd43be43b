/* api.h - the handlers that the table of routes names, one file each or a few. */
#ifndef HTTP_API_H
#define HTTP_API_H

#include "http/routes.h"
#include "snapshot/snapshot.h"

/* api.c */
void api_page(struct site *site, const struct request *request, struct response *response);
void api_healthz(struct site *site, const struct request *request, struct response *response);
void api_metrics(struct site *site, const struct request *request, struct response *response);
void api_openapi(struct site *site, const struct request *request, struct response *response);
void api_status(struct site *site, const struct request *request, struct response *response);
void api_snapshot(struct site *site, const struct request *request, struct response *response);
void api_export(struct site *site, const struct request *request, struct response *response);
void api_events(struct site *site, const struct request *request, struct response *response);

/* function.c */
void api_function(struct site *site, const struct request *request, struct response *response);

/* timeline.c */
void api_timeline(struct site *site, const struct request *request, struct response *response);

/* source.c */
void api_source(struct site *site, const struct request *request, struct response *response);

/* pprof.c */
void api_pprof(struct site *site, const struct request *request, struct response *response);

/* device.c */
void api_device(struct site *site, const struct request *request, struct response *response);
void api_clear(struct site *site, const struct request *request, struct response *response);
void api_record_start(struct site *site, const struct request *request, struct response *response);
void api_record_stop(struct site *site, const struct request *request, struct response *response);

/* The body of a status answer, also sent as an event. */
void api_write_status(const struct site *site, const struct snapshot *snapshot, struct json *json);

#endif
