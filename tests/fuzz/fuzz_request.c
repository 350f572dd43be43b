/* fuzz_request.c - sends a request to the web server: method, target, headers and body, one line each. */
/* server/ has another struct of that name. */
#define stream fuzz_stream
#include "fuzz.h"
#undef stream

#include "base/jsonio.h"
#include "base/wake.h"
#include "handoff/board.h"
#include "handoff/mailbox.h"
#include "api/site.h"
#include "profile/profile.h"

static struct site site;

/* A profile of a few calls, without a recipient for orders. */
static void begin(void)
{
    static struct wake wake;
    static const struct snapshot_target target;
    static const struct snapshot_link link;
    static const struct snapshot_source source = {
        .port = "fuzz", .dialect = "miniprof", .provides = PROVIDES_TREE | PROVIDES_TIMELINE};
    struct listen_address address;
    struct profile *profile = profile_new(NULL);
    FUZZ_CHECK(profile && wake_init(&wake, NULL) && listen_parse("127.0.0.1:7777", &address, NULL));
    for (unsigned i = 0; i < 32; i++)
        profile_apply(profile,
                      &(struct event){.kind = EVENT_CALL,
                                      .ticks = 1000 + 100 * i,
                                      .depth = 0,
                                      .call = {.address = 0x100 + 16 * (i % 5), .duration = 10 + i}},
                      1);
    profile_finish(profile);
    struct http_settings settings = {
        .listen = "127.0.0.1:7777", .version = "0", .board = board_new(), .mailbox = mailbox_new(&wake)};
    FUZZ_CHECK(settings.board && settings.mailbox);
    board_post(settings.board, profile_freeze(profile, &source, &target, &link));
    mailbox_close(settings.mailbox);
    FUZZ_CHECK(site_init(&site, &settings, &address, NULL));
    profile_free(profile);
}

/* Returns the next line without its end; "" after the last. */
static char *line_of(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    *at = end ? end + 1 : line + strlen(line);
    if (end)
        *end = '\0';
    return line;
}

static const char *header_of(char **at)
{
    const char *line = line_of(at);
    return *line ? line : NULL;
}

/* pprof waits for the requested time, and an event stream lasts while a client listens. */
static bool takes_its_time(const char *target)
{
    return strstr(target, "pprof") || strstr(target, "events") || strchr(target, '%');
}

static void check(struct response *response)
{
    size_t n;
    FUZZ_CHECK(response->status >= 200 && response->status < 600);
    for (unsigned i = 0; i < response->header_n; i++)
        FUZZ_CHECK(!strpbrk(response->headers[i].value, "\r\n"));
    bool is_plain = !response->stream && !response_header_value(response, "Content-Encoding");
    const char *bytes = response_bytes(response, &n);
    if (!is_plain || n == 0 || !response->media_type || !strstr(response->media_type, "json"))
        return;
    struct jsonio *json = jsonio_parse("answer", bytes, n, NULL);
    FUZZ_CHECK(json);
    jsonio_free(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool has_begun;
    if (!has_begun)
        begin();
    has_begun = true;
    char *text = malloc(size + 1), *at = text;
    FUZZ_CHECK(text);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    struct request request = {.method = line_of(&at)};
    char *target = line_of(&at);
    request.host = header_of(&at);
    request.origin = header_of(&at);
    request.fetch_site = header_of(&at);
    request.content_type = header_of(&at);
    request.authorization = header_of(&at);
    request.accept_encoding = header_of(&at);
    request.if_none_match = header_of(&at);
    request.last_event_id = header_of(&at);
    request.body = at;
    request.body_n = strlen(at);
    struct response response;
    struct error err;
    response_init(&response);
    if (!takes_its_time(target)) {
        if (request_set_target(&request, target, &err))
            site_answer(&site, &request, &response);
        else
            response_problem(&response, 400, "%s", err.text);
        check(&response);
    }
    response_fini(&response);
    free(text);
    return 0;
}

void fuzz_begin_with(struct fuzz_stream *stream)
{
    static const char request[] =
        "POST\n/api/v1/device/config?since=1&max=20\nlocalhost:7777\nhttp://localhost:7777\nsame-origin\n"
        "application/json\nBearer x\ngzip\n\"1\"\n1\n{\"name\": \"shortest\", \"value\": 10}";
    stream_bytes(stream, request, sizeof request - 1);
}
