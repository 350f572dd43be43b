/* test_watchdog.c - /healthz and the messages to the service manager while a session's decoder hangs. */
#include "base/clock.h"
#include "api/http.h"
#include "session/session.h"
#include "support/client.h"
#include "support/folder.h"
#include "process/watchdog.h"

#include <pthread.h>
#include <pty.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

enum { PATIENCE_MS = 120000, STUCK_MS = 2000 };

/* A dialect whose decode() hangs while this is locked. */
static pthread_mutex_t hangs = PTHREAD_MUTEX_INITIALIZER;

static void decode(void *state, const uint8_t *bytes, size_t n, const struct event_out *out)
{
    pthread_mutex_lock(&hangs);
    pthread_mutex_unlock(&hangs);
}

static const struct dialect_health *health(const void *state)
{
    static const struct dialect_health none;
    return &none;
}

static int probe(const uint8_t *bytes, size_t n)
{
    return 0;
}

static const struct dialect hanging = {.id = "hanging",
                                       .title = "Hanging",
                                       .summary = "Nothing.",
                                       .framing = DIALECT_RAW,
                                       .state_size = 1,
                                       .decode = decode,
                                       .health = health,
                                       .probe = probe};

struct scene {
    struct folder folder;
    int master, slave, manager;
    struct board *board;
    struct session *session;
    struct http *http;
    unsigned port;
    struct watchdog watchdog;
};

static int manager_at(const struct folder_path *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    cr_assert_lt(strlen(path->text), sizeof address.sun_path);
    strcpy(address.sun_path, path->text);
    cr_assert_eq(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

/* Returns the next message to the manager, or "". */
static const char *told(const struct scene *scene)
{
    static char text[64];
    ssize_t n = recv(scene->manager, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

static void scene_init(struct scene *scene)
{
    struct error err = {""};
    char path[64];
    *scene = (struct scene){.folder = folder_new(), .board = board_new()};
    struct folder_path socket_path = folder_file(&scene->folder, "manager");
    scene->manager = manager_at(&socket_path);
    setenv("NOTIFY_SOCKET", socket_path.text, 1);
    setenv("WATCHDOG_USEC", "2000000", 1);
    watchdog_open(&scene->watchdog);
    cr_assert_null(getenv("NOTIFY_SOCKET"));
    cr_assert_eq(openpty(&scene->master, &scene->slave, path, NULL, NULL), 0);
    struct session_settings settings = {.source = {.spec = path, .baud = 115200},
                                        .dialect = &hanging,
                                        .timing = {.gather_ms = 1, .update_ms = 5, .stuck_ms = STUCK_MS}};
    scene->session = session_new(&settings, scene->board, &err);
    cr_assert_not_null(scene->session, "%s", err.text);
    struct http_settings http = {.listen = "127.0.0.1:0",
                                 .version = "test",
                                 .board = scene->board,
                                 .mailbox = session_mailbox(scene->session),
                                 .pulse = session_pulse(scene->session)};
    scene->http = http_start(&http, &err);
    cr_assert_not_null(scene->http, "%s", err.text);
    scene->port = client_port(http_address(scene->http));
    cr_assert(session_start(scene->session, &err), "%s", err.text);
}

static void scene_fini(struct scene *scene)
{
    watchdog_close(&scene->watchdog);
    session_stop(scene->session);
    http_stop(scene->http);
    session_free(scene->session);
    board_free(scene->board);
    close(scene->manager);
    close(scene->slave);
    close(scene->master);
    folder_free(&scene->folder);
}

static unsigned healthz(const struct scene *scene)
{
    struct sink_buffer reply;
    sink_buffer_init(&reply);
    unsigned status = client_ask(scene->port, "GET", "/healthz", NULL, NULL, &reply);
    cr_assert(status == 200 || strstr(reply.bytes, "at one piece of work"), "%s", reply.bytes);
    sink_buffer_fini(&reply);
    return status;
}

static void await_stuck(const struct scene *scene, bool stuck)
{
    uint64_t until_ms = clock_monotonic_ms() + PATIENCE_MS;
    while ((pulse_stuck_ms(session_pulse(scene->session), clock_monotonic_ms()) > 0) != stuck) {
        cr_assert_lt(clock_monotonic_ms(), until_ms);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

Test(watchdog, a_hung_thread_stops_the_watchdog_messages)
{
    struct scene scene;
    scene_init(&scene);
    struct watchdog *watchdog = &scene.watchdog;
    cr_assert_eq(watchdog_deadline_ms(watchdog), UINT64_MAX, "it is not up yet");
    watchdog_ready(watchdog, session_pulse(scene.session), 1000);
    cr_assert_str_eq(told(&scene), "READY=1");
    watchdog_follow(watchdog, watchdog_deadline_ms(watchdog));
    cr_assert_str_eq(told(&scene), "WATCHDOG=1");
    cr_assert_eq(watchdog_deadline_ms(watchdog), 2000, "twice in the time that is given");
    watchdog_follow(watchdog, 1999);
    cr_assert_str_eq(told(&scene), "");
    cr_assert_eq(healthz(&scene), 200);

    pthread_mutex_lock(&hangs);
    cr_assert_eq(write(scene.master, "x", 1), 1);
    await_stuck(&scene, true);
    cr_assert_eq(healthz(&scene), 503);
    watchdog->next_ms = 0;
    for (int i = 0; i < 3; i++) {
        watchdog_follow(watchdog, clock_monotonic_ms());
        watchdog->next_ms = 0;
    }
    cr_assert_str_eq(told(&scene), "");

    pthread_mutex_unlock(&hangs);
    await_stuck(&scene, false);
    cr_assert_eq(healthz(&scene), 200);
    watchdog_follow(watchdog, clock_monotonic_ms());
    cr_assert_str_eq(told(&scene), "WATCHDOG=1");
    watchdog_end(watchdog);
    cr_assert_str_eq(told(&scene), "STOPPING=1");
    cr_assert_eq(watchdog_deadline_ms(watchdog), UINT64_MAX);
    scene_fini(&scene);
}

Test(watchdog, a_thread_that_hangs_is_waited_for_until_it_is_given_up)
{
    enum { MOST_MS = 20 };
    struct scene scene;
    scene_init(&scene);
    pthread_mutex_lock(&hangs);
    cr_assert_eq(write(scene.master, "x", 1), 1);
    await_stuck(&scene, true);
    uint64_t before_ms = clock_monotonic_ms();
    cr_expect_not(session_stop_within(scene.session, MOST_MS));
    cr_expect_geq(clock_monotonic_ms() - before_ms, MOST_MS);
    pthread_mutex_unlock(&hangs);
    cr_expect(session_stop_within(scene.session, PATIENCE_MS), "it can be asked again");
    cr_expect(session_stop_within(scene.session, 0), "and has ended for good");
    scene_fini(&scene);
}

Test(watchdog, without_a_manager_there_are_no_messages_or_deadlines)
{
    static const char *const wrong[] = {NULL, "", "relative", "/nowhere/at/all", "@"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct watchdog watchdog;
        struct pulse pulse = {.most_ms = 1};
        if (wrong[i])
            setenv("NOTIFY_SOCKET", wrong[i], 1);
        setenv("WATCHDOG_USEC", "1000", 1);
        watchdog_open(&watchdog);
        watchdog_ready(&watchdog, &pulse, 0);
        cr_assert_eq(watchdog_deadline_ms(&watchdog), UINT64_MAX);
        watchdog_end(&watchdog);
        watchdog_close(&watchdog);
    }
}
