/* fake.c - a fake device at the other end of a line, and its thread. */
#include "fake.h"

#include "protocol/description.h"
#include "support/stream.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_S = 120 };

/* ---- under the lock ---- */

static void plug_in(struct fake *fake)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, fake->path);
    fake->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_geq(fake->listener, 0);
    cr_assert_eq(bind(fake->listener, (struct sockaddr *)&address, sizeof address), 0);
    cr_assert_eq(listen(fake->listener, 4), 0);
}

static void hang_up(struct fake *fake)
{
    if (fake->line >= 0)
        close(fake->line);
    fake->line = -1;
    fake->partial_n = 0;
}

static void unplug(struct fake *fake)
{
    hang_up(fake);
    if (fake->listener >= 0) {
        close(fake->listener);
        unlink(fake->path);
    }
    fake->listener = -1;
}

static void send_bytes(struct fake *fake, const uint8_t *bytes, size_t n)
{
    while (n > 0) {
        ssize_t sent = send(fake->line, bytes, n, MSG_NOSIGNAL);
        if (sent < 0)
            return; /* the session closed the connection */
        bytes += sent;
        n -= (size_t)sent;
    }
}

static void send_stream(struct fake *fake, struct stream *stream)
{
    send_bytes(fake, stream->bytes, stream->n);
    stream_fini(stream);
}

static void send_metadata(struct fake *fake)
{
    struct stream stream = {0};
    stream_metadata(&stream, &(struct mp_metadata){.mcu_clock_hz = 48000000,
                                                   .timer_hz = 1000000,
                                                   .elf_build_id = fake->build_id,
                                                   .fw_version = "fake"});
    send_stream(fake, &stream);
}

static void send_status(struct fake *fake)
{
    struct stream stream = {0};
    stream_status(&stream, &(struct mp_status){.is_profiling = fake->profiling,
                                               .records_captured = fake->captured,
                                               .buffer_usage_percent = 200});
    send_stream(fake, &stream);
}

static void send_answer(struct fake *fake, bool ack)
{
    struct stream stream = {0};
    stream_packet(&stream, ack ? MP_ACK : MP_NACK, NULL, 0);
    send_stream(fake, &stream);
}

/* Number of settings of windows (protocol/SPEC.md section 13). */
enum { WINDOW_SETTINGS = 4 };
static const struct mp_setting windows[WINDOW_SETTINGS] = {
    {.key = 0x10, .most = UINT32_MAX, .name = "window-function", .unit = "address"},
    {.key = 0x11, .most = 0x7FFFFFFF, .name = "window-ticks", .unit = "ticks"},
    {.key = 0x12, .most = 100, .name = "window-after", .unit = "%"},
    {.key = 0x13, .most = 3, .name = "window", .unit = ""}};

static void send_description(struct fake *fake)
{
    const struct mp_description head = {.versions = fake->versions,
                                        .tick_hz = 48000000,
                                        .ring_calls = 64,
                                        .stack_depth = 32,
                                        .tasks = 1,
                                        .packet_bytes = 500,
                                        .settings = fake->keeps_windows ? 1 + WINDOW_SETTINGS : 1};
    const struct mp_setting setting = {
        .key = 2, .least = 0, .most = 1000, .value = fake->setting, .name = "shortest", .unit = "us"};
    uint8_t payload[MP_DESCRIPTION_HEAD + 5 * (MP_SETTING_HEAD + 1 + 2 * MP_SETTING_WORD) + MP_HOOK_TICKS +
                    MP_DESCRIPTION_RUN];
    struct stream stream = {0};
    mp_description_encode(&head, payload);
    size_t n = MP_DESCRIPTION_HEAD + mp_setting_encode(&setting, payload + MP_DESCRIPTION_HEAD);
    for (unsigned i = 0; fake->keeps_windows && i < WINDOW_SETTINGS; i++) {
        struct mp_setting window = windows[i];
        window.value = fake->windows[i];
        n += mp_setting_encode(&window, payload + n);
    }
    if (fake->tells_run) {
        const struct mp_description_run run = {
            .boot = fake->boot, .is_on = fake->profiling, .version = fake->version, .run = fake->run};
        n += mp_hook_ticks_encode(0, payload + n);
        mp_description_run_encode(&run, payload + n);
        n += MP_DESCRIPTION_RUN;
    }
    stream_packet(&stream, MP_DESCRIPTION, payload, n);
    send_stream(fake, &stream);
}

static bool set_window(struct fake *fake, uint8_t key, uint32_t value)
{
    unsigned i = key - windows[0].key;
    if (!fake->keeps_windows || i >= WINDOW_SETTINGS || value > windows[i].most)
        return false;
    fake->windows[i] = value;
    pthread_cond_broadcast(&fake->changed);
    return true;
}

/* Sets a value; refuses unknown keys and values out of range. */
static bool set(struct fake *fake, const struct mp_command *command)
{
    uint32_t value = mp_load_u32(command->payload + 1);
    if (!fake->versions)
        return true;
    if (command->length == 5 && command->payload[0] >= windows[0].key)
        return set_window(fake, command->payload[0], value);
    if (command->length != 5 || command->payload[0] != 2 || value > 1000)
        return false;
    fake->setting = value;
    return true;
}

static void send_rounds(struct fake *fake, unsigned rounds, uint32_t ticks)
{
    struct stream stream = {0};
    for (unsigned i = 0; i < rounds; i++) {
        struct mp_record records[] = {{0x2000, ticks + 100 * i + 3, 4, 1}, {0x1000, ticks + 100 * i, 10, 0}};
        stream_records(&stream, records, 2);
    }
    fake->captured += 2 * rounds;
    send_stream(fake, &stream);
}

/* Sends the remaining records some time after the answer to STOP, as a program that polls. */
static void tell_the_rest(struct fake *fake)
{
    poll(NULL, 0, 20);
    send_rounds(fake, fake->last_rounds, 0);
    hang_up(fake);
}

/* Sends the remaining records and the closing packet some time after its answer; after another STOP only the
 * closing packet. */
static void close_run(struct fake *fake)
{
    static const uint8_t closing[] = {MP_PROFILE_DATA_V1, 0, 0};
    poll(NULL, 0, 20);
    if (fake->heard[MP_STOP] == 1)
        send_rounds(fake, fake->rounds_at_end, 0);
    struct stream stream = {0};
    stream_packet(&stream, MP_PROFILE_DATA, closing, sizeof closing);
    send_stream(fake, &stream);
}

static void obey(struct fake *fake, const struct mp_command *command)
{
    fake->heard[command->code % 8]++;
    pthread_cond_broadcast(&fake->changed);
    if (fake->deaf && fake->sends_when_deaf)
        send_rounds(fake, 1, 0);
    if (fake->deaf || (fake->ignores_start && command->code == MP_START))
        return;
    switch (command->code) {
    case MP_GET_METADATA: send_metadata(fake); return;
    case MP_GET_STATUS: send_status(fake); return;
    case MP_DESCRIBE:
        if (fake->profiling && fake->rounds_before > 0)
            send_rounds(fake, fake->rounds_before, 0);
        fake->rounds_before = 0;
        if (fake->versions)
            send_description(fake);
        else
            send_answer(fake, false);
        return;
    default: break;
    }
    if (command->code == MP_START)
        fake->version = command->length ? command->payload[0] : 1;
    if (!fake->refuses && (command->code == MP_START || command->code == MP_STOP))
        fake->profiling = command->code == MP_START;
    if (!fake->refuses && command->code == MP_START)
        fake->run++;
    if (!fake->refuses && command->code == MP_RESET_BUFFERS)
        fake->captured = 0;
    send_answer(fake, !fake->refuses && (command->code != MP_SET_CONFIG || set(fake, command)));
    if (command->code == MP_STOP && fake->last_rounds > 0)
        tell_the_rest(fake);
    if (mp_command_wants_closing(command) && fake->rounds_at_end > 0)
        close_run(fake);
}

static void hear(struct fake *fake)
{
    size_t missing = sizeof fake->partial - fake->partial_n;
    ssize_t n = recv(fake->line, fake->partial + fake->partial_n, missing, MSG_DONTWAIT);
    if (n < 0 && errno == EAGAIN)
        return;
    if (n <= 0) {
        hang_up(fake);
        return;
    }
    fake->partial_n += (size_t)n;
    if (fake->partial_n < sizeof fake->partial)
        return;
    struct mp_command command;
    cr_assert(mp_command_decode(&command, fake->partial), "a damaged command was sent");
    fake->partial_n = 0;
    obey(fake, &command);
}

/* ---- its thread ---- */

static void *live(void *argument)
{
    struct fake *fake = argument;
    pthread_mutex_lock(&fake->lock);
    while (!fake->stop) {
        int waits_for = fake->line < 0 ? fake->listener : fake->line;
        struct pollfd fds[2] = {{.fd = waits_for, .events = POLLIN}, {.fd = fake->wake.fd, .events = POLLIN}};
        pthread_mutex_unlock(&fake->lock);
        poll(fds, 2, -1);
        pthread_mutex_lock(&fake->lock);
        wake_clear(&fake->wake);
        if (!fds[0].revents)
            continue;
        if (fake->line >= 0 && fake->line == waits_for) {
            hear(fake);
        } else if (fake->line < 0 && fake->listener == waits_for) {
            fake->line = accept4(fake->listener, NULL, NULL, SOCK_CLOEXEC);
            pthread_cond_broadcast(&fake->changed);
        }
    }
    pthread_mutex_unlock(&fake->lock);
    return NULL;
}

/* ---- the test's calls ---- */

static struct timespec patience(void)
{
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += PATIENCE_S;
    return deadline;
}

static void lock_connected(struct fake *fake)
{
    struct timespec deadline = patience();
    pthread_mutex_lock(&fake->lock);
    while (fake->line < 0)
        cr_assert_eq(pthread_cond_timedwait(&fake->changed, &fake->lock, &deadline), 0, "nobody connected");
}

static void unlock(struct fake *fake)
{
    pthread_mutex_unlock(&fake->lock);
    wake_ring(&fake->wake);
}

void fake_init(struct fake *fake, const char *path, bool plugged_in)
{
    *fake = (struct fake){.listener = -1, .line = -1, .build_id = 0x1234};
    cr_assert_lt(strlen(path), sizeof fake->path);
    strcpy(fake->path, path);
    snprintf(fake->spec, sizeof fake->spec, "unix:%s", path);
    cr_assert(wake_init(&fake->wake, NULL));
    pthread_mutex_init(&fake->lock, NULL);
    pthread_cond_init(&fake->changed, NULL);
    if (plugged_in)
        plug_in(fake);
    cr_assert_eq(pthread_create(&fake->thread, NULL, live, fake), 0);
}

void fake_fini(struct fake *fake)
{
    pthread_mutex_lock(&fake->lock);
    fake->stop = true;
    unlock(fake);
    pthread_join(fake->thread, NULL);
    unplug(fake);
    pthread_cond_destroy(&fake->changed);
    pthread_mutex_destroy(&fake->lock);
    wake_fini(&fake->wake);
}

void fake_set_deaf(struct fake *fake, bool deaf)
{
    pthread_mutex_lock(&fake->lock);
    fake->deaf = deaf;
    unlock(fake);
}

void fake_set_refuses(struct fake *fake, bool refuses)
{
    pthread_mutex_lock(&fake->lock);
    fake->refuses = refuses;
    unlock(fake);
}

void fake_set_versions(struct fake *fake, uint8_t versions)
{
    pthread_mutex_lock(&fake->lock);
    fake->versions = versions;
    unlock(fake);
}

uint8_t fake_version(struct fake *fake)
{
    pthread_mutex_lock(&fake->lock);
    uint8_t version = fake->version;
    unlock(fake);
    return version;
}

uint32_t fake_setting(struct fake *fake)
{
    pthread_mutex_lock(&fake->lock);
    uint32_t setting = fake->setting;
    unlock(fake);
    return setting;
}

void fake_keep_windows(struct fake *fake)
{
    pthread_mutex_lock(&fake->lock);
    fake->keeps_windows = true;
    unlock(fake);
}

void fake_await_windows(struct fake *fake, uint32_t function, uint32_t ticks, uint32_t window)
{
    struct timespec deadline = patience();
    pthread_mutex_lock(&fake->lock);
    while (fake->windows[0] != function || fake->windows[1] != ticks || fake->windows[3] != window)
        cr_assert_eq(pthread_cond_timedwait(&fake->changed, &fake->lock, &deadline), 0,
                     "it was given %x, %u, %u", fake->windows[0], fake->windows[1], fake->windows[3]);
    unlock(fake);
}

void fake_set_build_id(struct fake *fake, uint32_t id)
{
    pthread_mutex_lock(&fake->lock);
    fake->build_id = id;
    unlock(fake);
}

void fake_await(struct fake *fake, enum mp_command_code code, unsigned times)
{
    struct timespec deadline = patience();
    pthread_mutex_lock(&fake->lock);
    while (fake->heard[code] < times)
        cr_assert_eq(pthread_cond_timedwait(&fake->changed, &fake->lock, &deadline), 0,
                     "command %u came %u times", code, fake->heard[code]);
    unlock(fake);
}

unsigned fake_heard(struct fake *fake, enum mp_command_code code)
{
    pthread_mutex_lock(&fake->lock);
    unsigned heard = fake->heard[code];
    unlock(fake);
    return heard;
}

void fake_send_rounds(struct fake *fake, unsigned rounds, uint32_t ticks)
{
    lock_connected(fake);
    send_rounds(fake, rounds, ticks);
    unlock(fake);
}

void fake_send(struct fake *fake, const void *bytes, size_t n)
{
    lock_connected(fake);
    send_bytes(fake, bytes, n);
    unlock(fake);
}

static void forget(struct fake *fake)
{
    fake->captured = 0;
    fake->profiling = false;
    memset(fake->windows, 0, sizeof fake->windows);
}

void fake_restart_away(struct fake *fake)
{
    pthread_mutex_lock(&fake->lock);
    forget(fake);
    unlock(fake);
}

void fake_restart(struct fake *fake, bool says_so)
{
    lock_connected(fake);
    forget(fake);
    if (says_so)
        send_metadata(fake);
    unlock(fake);
}

void fake_unplug(struct fake *fake)
{
    pthread_mutex_lock(&fake->lock);
    unplug(fake);
    unlock(fake);
}

void fake_plug_in(struct fake *fake)
{
    pthread_mutex_lock(&fake->lock);
    plug_in(fake);
    unlock(fake);
}
