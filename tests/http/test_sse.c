/* test_sse.c - the stream of updates over real sockets. */
#include "fixture.h"

#include "base/clock.h"
#include "base/jsonio.h"
#include "server/request.h"
#include "api/route_sse.h"
#include "replica.h"
#include "support/calls.h"
#include "support/client.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEARTBEAT_MS = 200 };

static struct fixture fixture;
static struct http *http;
static unsigned port;

static void open_server(void)
{
    fixture_init(&fixture);
    fixture.settings.heartbeat_ms = HEARTBEAT_MS;
    struct error err = {0};
    http = http_start(&fixture.settings, &err);
    cr_assert(http, "%s", err.text);
    port = client_port(http_address(http));
}

static void close_server(void)
{
    http_stop(http);
    fixture_fini(&fixture);
}

TestSuite(sse, .init = open_server, .fini = close_server, .timeout = 300);

static void listen_from(struct client *client, const char *last_event_id)
{
    char headers[128] = "";
    if (last_event_id)
        snprintf(headers, sizeof headers, "Last-Event-ID: %s\r\n", last_event_id);
    cr_assert(client_open(client, port));
    client_send(client, "GET", "/api/v1/events", headers, NULL);
    cr_assert(client_read_head(client));
    cr_assert_eq(client->status, 200);
}

/* The next event that is no comment. */
static struct client_event next_event(struct client *client)
{
    struct client_event event;
    do {
        cr_assert(client_read_event(client, &event), "an event comes");
        if (strcmp(event.name, ":") != 0)
            return event;
        client_event_fini(&event);
    } while (true);
}

static struct jsonio *data_of(const struct client_event *event)
{
    struct error err = {0};
    struct jsonio *json = jsonio_parse(event->name, event->data.bytes, event->data.n, &err);
    cr_assert(json, "%s", err.text);
    return json;
}

/* The event must be `name`; its id goes to `id` unless that is NULL. */
static void expect_event(struct client *client, const char *name, char id[64])
{
    struct client_event event = next_event(client);
    cr_assert_str_eq(event.name, name);
    if (id)
        strcpy(id, event.id);
    else
        cr_expect_str_eq(event.id, "", "%s carries no id", name);
    jsonio_free(data_of(&event));
    client_event_fini(&event);
}

Test(sse, a_new_listener_gets_hello_status_and_snapshot_then_deltas)
{
    struct test_random random = test_random_start("order");
    struct client client;
    char id[64];
    listen_from(&client, NULL);
    cr_expect_str_eq(client_header(&client, "Content-Type"), "text/event-stream");
    cr_expect_str_eq(client_header(&client, "Cache-Control"), "no-store");
    expect_event(&client, "hello", NULL);
    expect_event(&client, "status", NULL);
    expect_event(&client, "snapshot", id);
    cr_expect_eq(strncmp(id, "1-", 2), 0, "%s", id);
    for (unsigned i = 2; i < 6; i++) {
        fixture_feed(&fixture, &random, 20);
        struct client_event event = next_event(&client);
        struct jsonio *delta = data_of(&event);
        uint64_t since = 0, sequence = 0;
        cr_expect_str_eq(event.name, "delta");
        cr_expect_eq(strtoul(event.id, NULL, 10), i);
        cr_expect_str_eq(strchr(event.id, '-'), strchr(id, '-'), "the same run");
        cr_expect(jsonio_u64(jsonio_member(delta, "since"), &since) && since == i - 1);
        cr_expect(jsonio_u64(jsonio_member(delta, "sequence"), &sequence) && sequence == i);
        jsonio_free(delta);
        client_event_fini(&event);
    }
    client_close(&client);
}

Test(sse, a_limit_that_is_broken_is_an_event_before_the_delta)
{
    struct client client;
    struct bound bound;
    struct error err;
    char id[64];
    pthread_mutex_lock(&fixture.lock);
    profile_set_clock(fixture.profile, 1000000);
    cr_assert(bound_parse("0x00009000:max<20us", &bound, &err));
    cr_assert(profile_add_bound(fixture.profile, &bound, &(uint32_t){0}, &err));
    pthread_mutex_unlock(&fixture.lock);
    listen_from(&client, NULL);
    expect_event(&client, "hello", NULL);
    expect_event(&client, "status", NULL);
    expect_event(&client, "snapshot", id);
    for (uint64_t i = 0; i < 3; i++) {
        const struct event slow = {.kind = EVENT_CALL,
                                   .ticks = 900000 + 1000 * i,
                                   .call = {.address = 0x9000, .duration = i == 1 ? 5 : 30}};
        pthread_mutex_lock(&fixture.lock);
        profile_apply(fixture.profile, &slow, 1);
        pthread_mutex_unlock(&fixture.lock);
        fixture_publish(&fixture);
        if (i != 1) {
            struct client_event event = next_event(&client);
            cr_assert_str_eq(event.name, "limit");
            struct jsonio *json = data_of(&event);
            const struct jsonio *row = jsonio_at(jsonio_member(json, "limits"), 0);
            cr_expect_str_eq(jsonio_text(jsonio_member(row, "limit")), "0x00009000:max<20us");
            jsonio_free(json);
            client_event_fini(&event);
        }
        expect_event(&client, "delta", id);
    }
    client_close(&client);
}

Test(sse, status_is_sent_when_source_or_target_change)
{
    struct client client;
    char id[64];
    listen_from(&client, NULL);
    expect_event(&client, "hello", NULL);
    expect_event(&client, "status", NULL);
    expect_event(&client, "snapshot", id);
    fixture_publish(&fixture); /* only a counter of the link: no status */
    expect_event(&client, "delta", id);
    pthread_mutex_lock(&fixture.lock);
    fixture.source.state = STATE_LOST;
    pthread_mutex_unlock(&fixture.lock);
    fixture_publish(&fixture);
    struct client_event event = next_event(&client);
    cr_assert_str_eq(event.name, "status");
    cr_expect(strstr(event.data.bytes, "\"lost\""));
    client_event_fini(&event);
    expect_event(&client, "delta", id);
    pthread_mutex_lock(&fixture.lock);
    fixture.target.has_status = fixture.target.profiling = true;
    pthread_mutex_unlock(&fixture.lock);
    fixture_publish(&fixture);
    expect_event(&client, "status", NULL);
    expect_event(&client, "delta", id);
    for (unsigned i = 0; i < 3; i++) {
        struct snapshot_description *description = &fixture.target.description;
        pthread_mutex_lock(&fixture.lock);
        if (i == 0)
            *description = (struct snapshot_description){
                .is_known = true, .setting_count = 1, .settings = {{.most = 9, .name = "depth"}}};
        else if (i == 1)
            description->settings[0].value = 7;
        else
            fixture.target.mode = MODE_STREAM;
        pthread_mutex_unlock(&fixture.lock);
        fixture_publish(&fixture);
        expect_event(&client, "status", NULL);
        expect_event(&client, "delta", id);
    }
    client_close(&client);
}

Test(sse, only_heartbeats_are_sent_without_updates)
{
    struct client client;
    char id[64];
    listen_from(&client, NULL);
    expect_event(&client, "hello", NULL);
    expect_event(&client, "status", NULL);
    expect_event(&client, "snapshot", id);
    uint64_t before_ms = clock_monotonic_ms();
    for (int i = 0; i < 3; i++) {
        struct client_event event;
        cr_assert(client_read_event(&client, &event));
        cr_expect_str_eq(event.name, ":");
        client_event_fini(&event);
    }
    uint64_t took_ms = clock_monotonic_ms() - before_ms;
    cr_expect(took_ms >= 2 * HEARTBEAT_MS, "three heartbeats in %llu ms", (unsigned long long)took_ms);
    client_close(&client);
}

Test(sse, a_reconnecting_client_resumes_with_deltas)
{
    struct test_random random = test_random_start("reconnect");
    struct client client;
    char id[64], now[64];
    fixture_feed(&fixture, &random, 50);
    listen_from(&client, NULL);
    expect_event(&client, "hello", NULL);
    expect_event(&client, "status", NULL);
    expect_event(&client, "snapshot", id);
    client_close(&client);

    listen_from(&client, id);
    expect_event(&client, "hello", NULL);
    expect_event(&client, "status", NULL);
    fixture_feed(&fixture, &random, 50);
    expect_event(&client, "delta", now);
    cr_expect_eq(strncmp(now, "3-", 2), 0, "%s", now);
    client_close(&client);

    listen_from(&client, id);
    expect_event(&client, "hello", NULL);
    expect_event(&client, "status", NULL);
    struct client_event event = next_event(&client);
    cr_expect_str_eq(event.name, "delta");
    cr_expect(strstr(event.data.bytes, "\"since\":2,"), "from where it was");
    client_event_fini(&event);
    client_close(&client);
}

Test(sse, an_outdated_id_gets_a_snapshot)
{
    struct test_random random = test_random_start("unknown ids");
    struct client client;
    char id[64];
    fixture_feed(&fixture, &random, 50);
    listen_from(&client, NULL);
    expect_event(&client, "hello", NULL);
    expect_event(&client, "status", NULL);
    expect_event(&client, "snapshot", id);
    client_close(&client);

    char future[96], endless[96];
    snprintf(future, sizeof future, "9%s", id);
    snprintf(endless, sizeof endless, "99999999999999999999%s", id);
    const char *const unknown[] = {"1-00000000", "1",    "",      "x",
                                   "-",          future, endless, "99999999999999999999-00000000"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        char again[64];
        listen_from(&client, unknown[i]);
        expect_event(&client, "hello", NULL);
        expect_event(&client, "status", NULL);
        expect_event(&client, "snapshot", again);
        cr_expect_str_eq(again, id);
        client_close(&client);
    }
    client_ask(port, "POST", "/api/v1/profile/clear", "Content-Type: application/json\r\n", "{}", NULL);
    char cleared[64];
    listen_from(&client, id);
    expect_event(&client, "hello", NULL);
    expect_event(&client, "status", NULL);
    expect_event(&client, "snapshot", cleared);
    fixture_feed(&fixture, &random, 50);
    expect_event(&client, "delta", cleared);
    client_close(&client);
}

/* Applies events until the replica is at `sequence`. */
static void follow(struct client *client, struct replica *replica, uint64_t sequence)
{
    while (replica->sequence < sequence) {
        struct client_event event = next_event(client);
        if (strcmp(event.name, "snapshot") == 0)
            replica_load(replica, data_of(&event));
        else if (strcmp(event.name, "delta") == 0)
            replica_apply(replica, data_of(&event));
        client_event_fini(&event);
    }
}

Test(sse, deltas_applied_to_the_first_snapshot_give_the_snapshot)
{
    struct test_random random = test_random_start("replica");
    struct calls calls;
    calls_make(&calls, &random, 1500, 5, false, 1);
    struct client client;
    struct replica replica = {0};
    listen_from(&client, NULL);
    uint64_t now_ms = 0;
    unsigned compared = 0, updates = 0;
    for (size_t at = 0; at < calls.n; updates++) {
        size_t n = 1 + test_random_below(&random, 60);
        n = n < calls.n - at ? n : calls.n - at;
        pthread_mutex_lock(&fixture.lock);
        profile_apply(fixture.profile, calls.events + at, n);
        profile_tick(fixture.profile, now_ms += test_random_below(&random, 600));
        if (updates % 20 == 10)
            profile_clear(fixture.profile);
        fixture.target.records_captured += n;
        pthread_mutex_unlock(&fixture.lock);
        at += n;
        fixture_publish(&fixture);
        /* Now and then the client is late, and several updates become one delta. */
        if (test_random_below(&random, 3) == 0)
            continue;
        struct snapshot *snapshot = board_read(fixture.board);
        follow(&client, &replica, snapshot->sequence);
        snapshot_unref(snapshot);
        struct sink_buffer body;
        cr_assert_eq(client_ask(port, "GET", "/api/v1/snapshot", NULL, NULL, &body), 200);
        struct jsonio *whole = jsonio_parse("snapshot", body.bytes, body.n, NULL);
        cr_assert_not_null(whole);
        char difference[256];
        cr_assert(replica_equals(&replica, whole, difference, sizeof difference), "sequence %llu: %s",
                  (unsigned long long)replica.sequence, difference);
        jsonio_free(whole);
        sink_buffer_fini(&body);
        compared++;
    }
    cr_expect(compared > 20 && updates > 30, "%u of %u compared", compared, updates);
    replica_fini(&replica);
    client_close(&client);
    calls_free(&calls);
}

/* Reads one piece of a stream that is not behind a socket. */
static size_t read_piece(struct stream *stream, char *to, size_t room)
{
    size_t n = (size_t)stream->read(stream, to, room - 1);
    cr_assert(n > 0 && n < room, "a read waits until there is something");
    to[n] = '\0';
    return n;
}

Test(sse, a_slow_client_skips_updates_and_gets_one_delta_over_all)
{
    fixture_open_site(&fixture);
    struct stream *stream = sse_open(&fixture.site, &(struct request){0});
    cr_assert_not_null(stream);
    char text[65536];
    read_piece(stream, text, sizeof text);
    cr_expect(strstr(text, "event: snapshot\n"));
    for (int i = 0; i < 1000; i++)
        fixture_publish(&fixture);
    read_piece(stream, text, sizeof text);
    cr_expect(strncmp(text, "id: 1001-", 9) == 0 && strstr(text, "{\"since\":1,\"sequence\":1001,"), "%.80s",
              text);
    read_piece(stream, text, sizeof text);
    cr_expect_str_eq(text, ":\n\n", "and then it is up to date");
    stream->close(stream);
}

Test(sse, a_piece_may_be_of_any_size)
{
    struct test_random random = test_random_start("pieces");
    fixture_open_site(&fixture);
    fixture_feed(&fixture, &random, 200);
    struct stream *in_one = sse_open(&fixture.site, &(struct request){0}),
                  *in_pieces = sse_open(&fixture.site, &(struct request){0});
    static char whole[1 << 20], pieces[1 << 20];
    size_t n = read_piece(in_one, whole, sizeof whole);
    for (size_t at = 0; at < n;) {
        size_t room = 1 + test_random_below(&random, 700);
        at += (size_t)in_pieces->read(in_pieces, pieces + at, room < n - at ? room : n - at);
    }
    cr_expect_arr_eq(whole, pieces, n);
    in_one->close(in_one);
    in_pieces->close(in_pieces);
}

Test(sse, stalled_clients_delay_neither_others_nor_the_end)
{
    enum { CLIENTS = 100, STUCK = 10, UPDATES = 30 };
    struct test_random random = test_random_start("crowd");
    fixture_feed(&fixture, &random, 3000);
    struct client *clients = calloc(CLIENTS, sizeof *clients);
    for (int i = 0; i < CLIENTS; i++) {
        cr_assert(client_open(&clients[i], port));
        if (i < STUCK) {
            int small = 4096;
            setsockopt(clients[i].fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        }
        client_send(&clients[i], "GET", "/api/v1/events", NULL, NULL);
    }
    for (int i = STUCK; i < CLIENTS; i++) {
        char id[64];
        cr_assert(client_read_head(&clients[i]));
        expect_event(&clients[i], "hello", NULL);
        expect_event(&clients[i], "status", NULL);
        expect_event(&clients[i], "snapshot", id);
    }
    for (unsigned update = 0; update < UPDATES; update++) {
        fixture_feed(&fixture, &random, 300);
        for (int i = STUCK; i < CLIENTS; i++) {
            struct client_event event = next_event(&clients[i]);
            cr_assert_str_eq(event.name, "delta");
            cr_assert_eq(strtoul(event.id, NULL, 10), update + 3, "no update is missed");
            client_event_fini(&event);
        }
    }
    uint64_t before_ms = clock_monotonic_ms();
    http_stop(http);
    uint64_t took_ms = clock_monotonic_ms() - before_ms;
    cr_expect(took_ms <= 60000, "stopping took %llu ms", (unsigned long long)took_ms);
    for (int i = 0; i < CLIENTS; i++)
        client_close(&clients[i]);
    free(clients);
    http = NULL;
}

Test(sse, listeners_beyond_the_limit_get_503)
{
    enum { MOST = SSE_LISTENERS_MOST };
    struct client *clients = calloc(MOST, sizeof *clients);
    for (int i = 0; i < MOST; i++)
        listen_from(&clients[i], NULL);
    cr_expect_eq(client_ask(port, "GET", "/api/v1/events", NULL, NULL, NULL), 503);
    cr_expect_eq(client_ask(port, "GET", "/api/v1/status", NULL, NULL, NULL), 200, "others are served");
    for (int i = 0; i < MOST; i++)
        client_close(&clients[i]);
    free(clients);
    /* Their slots are free again with the next heartbeat. */
    unsigned status = 503;
    for (int i = 0; i < 2400 && status == 503; i++) { /* up to two minutes */
        struct client client;
        cr_assert(client_open(&client, port));
        client_send(&client, "GET", "/api/v1/events", NULL, NULL);
        cr_assert(client_read_head(&client));
        status = client.status;
        client_close(&client);
        if (status == 503)
            usleep(HEARTBEAT_MS * 1000 / 4);
    }
    cr_expect_eq(status, 200);
}
