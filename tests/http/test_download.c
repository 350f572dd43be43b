/* test_download.c - exports being sent: whole, in pieces, failing, and abandoned by their clients. */
#include "fixture.h"

#include "api/download.h"
#include "support/client.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct fixture fixture;

static void open_fixture(void)
{
    fixture_init(&fixture);
}

static void close_fixture(void)
{
    fixture_fini(&fixture);
}

TestSuite(download, .init = open_fixture, .fini = close_fixture);

enum {
    WHOLE_BYTES = 8 << 20,
    AHEAD_BYTES = 64 << 10, /* a pipe's capacity, and the writer's buffer */
};
static atomic_size_t written;

static void write_much(const struct snapshot *snapshot, struct sink *sink)
{
    static char block[1024];
    memset(block, 'x', sizeof block);
    for (size_t n = 0; n < WHOLE_BYTES && !sink->failed; n += sizeof block) {
        sink_write(sink, block, sizeof block);
        atomic_store(&written, n + sizeof block);
    }
}

static void write_without_end(const struct snapshot *snapshot, struct sink *sink)
{
    while (!sink->failed)
        sink_text(sink, "for ever and ");
}

static void fail_half_way(const struct snapshot *snapshot, struct sink *sink)
{
    sink_text(sink, "half of ");
    sink->failed = true; /* as an exporter does without memory */
    sink_text(sink, "it");
}

static void write_nothing(const struct snapshot *snapshot, struct sink *sink) {}

static struct response start(void (*write)(const struct snapshot *, struct sink *),
                             const char *accept_encoding, atomic_uint *slot)
{
    static struct exporter exporter;
    exporter = (struct exporter){.id = "test", .media_type = "application/json", .write = write};
    struct response response;
    response_init(&response);
    response_take_slot(&response, slot, 4, "tests");
    struct request request = {.accept_encoding = accept_encoding};
    download_start(&exporter, board_read(fixture.board), &request, &response);
    cr_assert_not_null(response.stream);
    return response;
}

Test(download, a_download_is_produced_while_it_is_read)
{
    atomic_uint slots = 0;
    struct response response = start(write_much, NULL, &slots);
    static char part[10000];
    size_t taken = 0;
    for (ssize_t n; (n = response.stream->read(response.stream, part, sizeof part)) > 0; taken += (size_t)n) {
        size_t made = atomic_load(&written);
        cr_assert(made <= taken + (size_t)n + 2 * AHEAD_BYTES, "%zu bytes made, %zu taken", made, taken);
        cr_expect_eq(slots, 1);
    }
    cr_expect_eq(taken, WHOLE_BYTES);
    cr_expect_eq(slots, 1, "its place is taken until it is sent");
    response_fini(&response);
    cr_expect_eq(slots, 0);
}

Test(download, an_empty_download_ends_at_once)
{
    atomic_uint slots = 0;
    struct response response = start(write_nothing, NULL, &slots);
    cr_expect(fixture_drain(&response));
    cr_expect_eq(response.body.n, 0);
    response_fini(&response);
}

Test(download, a_failed_download_differs_from_a_complete_one)
{
    static const char *const encodings[] = {NULL, "gzip"};
    for (size_t i = 0; i < 2; i++) {
        atomic_uint slots = 0;
        struct response response = start(fail_half_way, encodings[i], &slots);
        cr_expect_not(fixture_drain(&response));
        response_fini(&response);
        cr_expect_eq(slots, 0);
    }
}

Test(download, a_download_that_is_not_read_ends)
{
    static const char *const encodings[] = {NULL, "gzip"};
    for (size_t i = 0; i < 2; i++) {
        atomic_uint slots = 0;
        struct response response = start(write_without_end, encodings[i], &slots);
        char part[100];
        cr_expect_gt(response.stream->read(response.stream, part, sizeof part), 0);
        response_fini(&response);
        cr_expect_eq(slots, 0);
    }
}

Test(download, a_download_over_a_socket_is_whole_and_frees_its_slot)
{
    struct test_random random = test_random_start("download");
    for (int i = 0; i < 20; i++)
        fixture_feed(&fixture, &random, 2000);
    struct http *http = http_start(&fixture.settings, NULL);
    cr_assert_not_null(http);
    unsigned port = client_port(http_address(http));
    struct snapshot *snapshot = board_read(fixture.board);
    struct sink_buffer expected, reply;
    sink_buffer_init(&expected);
    exporter_find("chrome")->write(snapshot, &expected.sink);
    snapshot_unref(snapshot);
    cr_assert_eq(client_ask(port, "GET", "/api/v1/export/chrome", NULL, NULL, &reply), 200);
    cr_expect(reply.n == expected.n && memcmp(reply.bytes, expected.bytes, reply.n) == 0);
    sink_buffer_fini(&reply);
    cr_expect_eq(client_ask(port, "HEAD", "/api/v1/export/chrome", NULL, NULL, NULL), 200);
    sink_buffer_fini(&expected);

    /* Many that read the head only are all closed at the end. */
    for (int i = 0; i < 20; i++) {
        struct client client;
        cr_assert(client_open(&client, port));
        int room = 4096;
        setsockopt(client.fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
        client_send(&client, "GET", "/api/v1/export/chrome", NULL, NULL);
        cr_assert(client_read_head(&client));
        unsigned status = client.status;
        cr_expect(status == 200 || status == 503);
        client_close(&client);
    }
    unsigned status = 0;
    for (int i = 0; i < 5000 && status != 200; i++) { /* until the server has noticed */
        status = client_ask(port, "GET", "/api/v1/export/chrome", NULL, NULL, NULL);
        cr_assert(status == 200 || status == 503);
    }
    cr_expect_eq(status, 200);
    http_stop(http);
}
