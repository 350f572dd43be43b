/* fixture.c - everything that the web server needs, without a device. */
#include "fixture.h"

#include "base/jsonio.h"
#include "support/calls.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <string.h>

static void publish_locked(struct fixture *fixture)
{
    fixture->link.bytes++;
    struct snapshot *snapshot =
        profile_freeze(fixture->profile, &fixture->source, &fixture->target, &fixture->link);
    cr_assert_not_null(snapshot);
    board_post(fixture->board, snapshot);
}

void fixture_publish(struct fixture *fixture)
{
    pthread_mutex_lock(&fixture->lock);
    publish_locked(fixture);
    pthread_mutex_unlock(&fixture->lock);
}

static enum order_result carry_out(struct fixture *fixture, struct order *order)
{
    switch (order->kind) {
    case ORDER_SYMBOLS: return ORDER_REFUSED; /* no request gives it */
    case ORDER_CLEAR:
        profile_clear(fixture->profile);
        publish_locked(fixture);
        return ORDER_DONE;
    case ORDER_MODE:
        fixture->target.mode_wanted = order->mode;
        /* fall through */
    case ORDER_COMMAND:
        fixture->last_command = *order;
        fixture->commands++;
        publish_locked(fixture);
        return fixture->answer;
    case ORDER_TRIGGER:
        fixture->last_command = *order;
        fixture->target.trigger = (struct snapshot_trigger){
            .state = *order->limit.name ? TRIGGER_ARMED : TRIGGER_OFF, .limit = order->limit};
        publish_locked(fixture);
        order->why = fixture->why;
        return fixture->answer;
    case ORDER_LIMIT:
    case ORDER_LIMIT_END: {
        bool done = order->kind == ORDER_LIMIT
                        ? profile_add_bound(fixture->profile, &order->bound, &order->bound_id, &order->why)
                        : profile_remove_bound(fixture->profile, order->bound_id);
        if (!done && order->kind == ORDER_LIMIT_END)
            error_set(&order->why, "There is no such limit.");
        publish_locked(fixture);
        return done ? ORDER_DONE : ORDER_REFUSED;
    }
    case ORDER_RECORD:
    case ORDER_RECORD_END:
        fixture->last_command = *order;
        order->recording = fixture->source.recording;
        order->why = fixture->why;
        return fixture->answer;
    }
    return ORDER_NO_DEVICE;
}

static void *ingest(void *user)
{
    struct fixture *fixture = user;
    struct pollfd bell = {.fd = fixture->wake.fd, .events = POLLIN};
    for (bool ending = false; !ending;) {
        poll(&bell, 1, -1);
        wake_clear(&fixture->wake);
        pthread_mutex_lock(&fixture->lock);
        ending = fixture->ending;
        for (struct order *order; (order = mailbox_take(fixture->mailbox));)
            mailbox_answer(fixture->mailbox, order, carry_out(fixture, order));
        pthread_mutex_unlock(&fixture->lock);
    }
    return NULL;
}

void fixture_init(struct fixture *fixture)
{
    static const struct http_dialect dialects[] = {{"miniprof", "MiniProfiler", "finished calls in packets"}};
    *fixture = (struct fixture){.answer = ORDER_DONE};
    cr_assert(wake_init(&fixture->wake, NULL));
    fixture->board = board_new();
    fixture->mailbox = mailbox_new(&fixture->wake);
    fixture->profile = profile_new(NULL);
    strcpy(fixture->source.port, "tcp:127.0.0.1:4444");
    fixture->source.dialect = "miniprof";
    fixture->source.state = STATE_CONNECTED;
    fixture->source.provides = PROVIDES_TREE | PROVIDES_TIMELINE;
    pthread_mutex_init(&fixture->lock, NULL);
    fixture->settings = (struct http_settings){
        .listen = "127.0.0.1:0",
        .version = "0.1.0",
        .board = fixture->board,
        .mailbox = fixture->mailbox,
        .dialects = dialects,
        .dialect_n = 1,
    };
    fixture_publish(fixture);
    cr_assert_eq(pthread_create(&fixture->ingest, NULL, ingest, fixture), 0);
}

void fixture_fini(struct fixture *fixture)
{
    if (fixture->site.cache)
        site_fini(&fixture->site);
    mailbox_close(fixture->mailbox);
    pthread_mutex_lock(&fixture->lock);
    fixture->ending = true;
    pthread_mutex_unlock(&fixture->lock);
    wake_ring(&fixture->wake);
    pthread_join(fixture->ingest, NULL);
    pthread_mutex_destroy(&fixture->lock);
    profile_free(fixture->profile);
    mailbox_free(fixture->mailbox);
    board_free(fixture->board);
    wake_fini(&fixture->wake);
}

void fixture_open_site(struct fixture *fixture)
{
    struct listen_address address;
    struct error err = {0};
    cr_assert(listen_parse("127.0.0.1:7777", &address, &err), "%s", err.text);
    cr_assert(site_init(&fixture->site, &fixture->settings, &address, &err), "%s", err.text);
}

struct response fixture_ask(struct fixture *fixture, const char *method, const char *target,
                            const struct request *extra)
{
    struct request request = extra ? *extra : (struct request){0};
    request.method = method;
    if (!request.host)
        request.host = "localhost:7777";
    if (request.body && !request.body_n)
        request.body_n = strlen(request.body);
    struct response response;
    response_init(&response);
    char *decoded = strdup(target);
    struct error err = {0};
    if (request_set_target(&request, decoded, &err))
        site_answer(&fixture->site, &request, &response);
    else
        response_problem(&response, 400, "%s", err.text);
    free(decoded);
    return response;
}

bool fixture_drain(struct response *response)
{
    char part[5000];
    ssize_t n = 0;
    while (response->stream && (n = response->stream->read(response->stream, part, sizeof part)) > 0)
        sink_write(&response->body.sink, part, (size_t)n);
    if (response->stream)
        response->stream->close(response->stream);
    response->stream = NULL;
    return n == 0;
}

struct jsonio *fixture_json(struct fixture *fixture, const char *method, const char *target,
                            const struct request *extra, unsigned *status)
{
    struct response response = fixture_ask(fixture, method, target, extra);
    cr_expect(fixture_drain(&response), "%s is whole", target);
    size_t n;
    const char *bytes = response_bytes(&response, &n);
    struct error err = {0};
    struct jsonio *json = jsonio_parse(target, bytes, n, &err);
    cr_expect(json, "%s: %.*s", err.text, (int)n, bytes);
    *status = response.status;
    response_fini(&response);
    return json;
}

void fixture_feed(struct fixture *fixture, struct test_random *random, size_t n)
{
    struct calls calls;
    calls_make(&calls, random, n, 5, false, 0);
    pthread_mutex_lock(&fixture->lock);
    profile_apply(fixture->profile, calls.events, calls.n);
    profile_finish(fixture->profile);
    publish_locked(fixture);
    pthread_mutex_unlock(&fixture->lock);
    calls_free(&calls);
}

void fixture_feed_functions(struct fixture *fixture, uint32_t functions, uint64_t ticks)
{
    pthread_mutex_lock(&fixture->lock);
    for (uint32_t i = 0; i < functions; i++) {
        const struct event call = {
            .kind = EVENT_CALL, .ticks = ticks + i, .call = {.address = 0x10000 + 16 * i, .duration = 1}};
        profile_apply(fixture->profile, &call, 1);
    }
    publish_locked(fixture);
    pthread_mutex_unlock(&fixture->lock);
}
