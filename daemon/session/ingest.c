/* ingest.c - the ingest thread.
 *
 * One loop: what is due by now is done, then it sleeps until the next thing is due, bytes come, or somebody
 * rings. Each part says when it will be due, so nothing wakes up just to look. A source in a hurry (a file)
 * is read again and again without sleep, orders and updates in between. */
#include "session/ingest.h"

#include "base/clock.h"

#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 64 * 1024 };

/* The kinds of events that are not only for the profile. */
enum {
    ALSO_OURS = 1 << EVENT_CLOCK | 1 << EVENT_TARGET | 1 << EVENT_STATUS | 1 << EVENT_ANSWER | 1 << EVENT_LOST
};

bool ingest_init(struct ingest *ingest, struct error *err)
{
    ingest->buffer = malloc(BUFFER_SIZE);
    return ingest->buffer ? true : error_set(err, "Out of memory while preparing to read.");
}

void ingest_fini(struct ingest *ingest)
{
    free(ingest->buffer);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- events ---- */

static void follow_symbols(struct ingest *ingest, enum symbols_change change)
{
    if (change == SYMBOLS_SAME)
        return;
    profile_set_symbols(ingest->profile, ingest->symbols.current);
    /* A capture cannot be had again: names of another build are better than nothing. */
    if (change == SYMBOLS_REPLACED && !source_is_finite(ingest->source))
        profile_clear(ingest->profile);
    ingest->changed = true;
}

static void hear(struct ingest *ingest, const struct event *event)
{
    uint64_t now_ms = clock_monotonic_ms();
    if (device_hear(&ingest->device, event, now_ms)) {
        if (log_gate_open(&ingest->restart_gate)) {
            log_write(LOG_INFO, "The target has started anew.");
            ingest->urgent = true;
        }
        target_restart(&ingest->target);
        loss_restart(&ingest->loss);
        decoder_restart(ingest->decoder);
    }
    target_hear(&ingest->target, event);
    if (event->kind == EVENT_STATUS)
        loss_hear(&ingest->loss, ingest->target.told.records_captured, event->status.buffer_usage_percent,
                  decoder_records(ingest->decoder));
    if (event->kind == EVENT_LOST)
        ingest->records_rejected += event->lost.records;
    if (event->kind == EVENT_TARGET)
        follow_symbols(ingest, symbols_hear(&ingest->symbols, &ingest->target.told));
}

void ingest_events(void *user, const struct event *events, size_t n)
{
    struct ingest *ingest = user;
    if (events[0].kind == EVENT_CALL) { /* so all are */
        device_hear_calls(&ingest->device);
    } else {
        for (size_t i = 0; i < n; i++)
            if (1u << events[i].kind & ALSO_OURS)
                hear(ingest, &events[i]);
    }
    profile_apply(ingest->profile, events, n);
}

/* ---- orders ---- */

static enum order_result result_of(enum device_answer answer)
{
    switch (answer) {
    case DEVICE_ACK: return ORDER_DONE;
    case DEVICE_NACK: return ORDER_REFUSED;
    case DEVICE_SILENT: return ORDER_SILENT;
    default: return ORDER_NO_DEVICE;
    }
}

static void answer_command(struct ingest *ingest)
{
    enum device_answer answer = device_user_answer(&ingest->device);
    if (!ingest->order || answer == DEVICE_PENDING)
        return;
    mailbox_answer(ingest->mailbox, ingest->order, result_of(answer));
    ingest->order = NULL;
    ingest->urgent = true;
}

static void begin_command(struct ingest *ingest, struct order *order)
{
    struct mp_command command = {.code = order->command, .length = order->payload_n};
    assert(order->payload_n <= sizeof command.payload);
    memcpy(command.payload, order->payload, order->payload_n);
    ingest->order = order;
    device_ask(&ingest->device, &command);
}

static bool is_recordable(const struct ingest *ingest, struct error *why)
{
    const char *spec = ingest->shown.port;
    if (recording_is_on(&ingest->recording))
        return error_set(why, "This is being recorded already, into %s.", ingest->recording.shown.path);
    if (source_is_finite(ingest->source) && strcmp(spec, "-") != 0)
        return error_set(why, "There is nothing to record: %s is a file, which can be copied.", spec);
    if (ingest->connection.state == STATE_ENDED)
        return error_set(why, "There is nothing to record: %s has ended.", spec);
    return true;
}

static enum order_result begin_recording(struct ingest *ingest, struct order *order)
{
    size_t n;
    const uint8_t *head = decoder_introduction(ingest->decoder, &n);
    if (!is_recordable(ingest, &order->why))
        return ORDER_REFUSED;
    if (!recording_begin(&ingest->recording, clock_monotonic_ns() / 1000, head, n, &order->why))
        return ORDER_FAILED;
    recording_tell(&ingest->recording, &order->recording);
    return ORDER_DONE;
}

static enum order_result end_recording(struct ingest *ingest, struct order *order)
{
    if (!recording_end(&ingest->recording, &order->recording, &order->why))
        return ORDER_FAILED;
    if (*order->recording.path)
        return ORDER_DONE;
    error_set(&order->why, "Nothing is being recorded.");
    return ORDER_REFUSED;
}

/* Takes orders until one has to wait for the device; those behind it wait with it. */
static void follow_orders(struct ingest *ingest)
{
    answer_command(ingest);
    while (!ingest->order) {
        struct order *order = mailbox_take(ingest->mailbox);
        if (!order)
            return;
        switch (order->kind) {
        case ORDER_CLEAR:
            profile_clear(ingest->profile);
            ingest->urgent = true;
            mailbox_answer(ingest->mailbox, order, ORDER_DONE);
            break;
        case ORDER_RECORD:
        case ORDER_RECORD_END:
            ingest->urgent = true;
            mailbox_answer(ingest->mailbox, order,
                           order->kind == ORDER_RECORD ? begin_recording(ingest, order)
                                                       : end_recording(ingest, order));
            break;
        case ORDER_COMMAND:
            begin_command(ingest, order);
            answer_command(ingest);
            break;
        }
    }
}

/* ---- the wire ---- */

static void send_commands(struct ingest *ingest, uint64_t now_ms)
{
    struct mp_command command;
    while (device_next(&ingest->device, now_ms, &command)) {
        uint8_t bytes[MP_COMMAND_SIZE];
        struct error err;
        mp_command_encode(&command, bytes);
        /* One that could not be sent goes unanswered, and is sent again then. */
        if (!source_write(ingest->source, bytes, sizeof bytes, &err))
            log_write(LOG_DEBUG, "%s", err.text);
    }
}

static void lose(struct ingest *ingest, const struct error *why, uint64_t now_ms)
{
    if (connection_lose(&ingest->connection, why, now_ms))
        ingest->urgent = true;
    decoder_break(ingest->decoder);
    device_disconnect(&ingest->device);
}

/* Nothing will follow: everything is placed, shown, and the end told. */
static void end(struct ingest *ingest, const struct error *why, uint64_t now_ms)
{
    connection_end(&ingest->connection, why);
    recording_finish(&ingest->recording);
    if (why)
        ingest->failure = *why;
    decoder_finish(ingest->decoder);
    device_disconnect(&ingest->device);
    ingest_publish(ingest, now_ms, true);
    wake_ring(ingest->ended);
}

/* Reading a live source a little late saves wake-ups, but must not hold up the sender. */
static uint64_t gather_ms(const struct ingest *ingest)
{
    return earlier(ingest->timing.gather_ms, source_patience_ms(ingest->source));
}

static void read_source(struct ingest *ingest, uint64_t now_ms)
{
    size_t n;
    struct error why = {""};
    switch (source_read(ingest->source, ingest->buffer, BUFFER_SIZE, &n, &why)) {
    case SOURCE_DATA:
        if (recording_keep(&ingest->recording, clock_monotonic_ns() / 1000, ingest->buffer, n))
            ingest->urgent = true;
        link_wake(&ingest->link, now_ms, decoder_bytes(ingest->decoder), decoder_records(ingest->decoder));
        decoder_feed(ingest->decoder, ingest->buffer, n);
        ingest->heard_ms = now_ms;
        ingest->idle_told = false;
        ingest->changed = true;
        if (n < BUFFER_SIZE)
            ingest->gather_until_ms = now_ms + gather_ms(ingest);
        break;
    case SOURCE_QUIET: break;
    case SOURCE_GONE:
        if (source_is_finite(ingest->source))
            end(ingest, &why, now_ms);
        else
            lose(ingest, &why, now_ms);
        break;
    case SOURCE_ENDED: end(ingest, NULL, now_ms); break;
    }
}

static void connect_source(struct ingest *ingest, uint64_t now_ms)
{
    switch (connection_step(&ingest->connection, now_ms)) {
    case CONNECTION_NOTHING: return;
    case CONNECTION_CHANGED: break;
    case CONNECTION_MADE: device_connect(&ingest->device, now_ms); break;
    }
    ingest->urgent = true;
}

/* ---- what is due when ---- */

static uint64_t idle_deadline_ms(const struct ingest *ingest)
{
    bool waits = !ingest->idle_told && decoder_is_waiting(ingest->decoder) &&
                 ingest->connection.state == STATE_CONNECTED && !source_is_finite(ingest->source);
    return waits ? ingest->heard_ms + ingest->timing.idle_ms : UINT64_MAX;
}

static bool has_news(const struct ingest *ingest)
{
    return ingest->changed || ingest->urgent || profile_changed(ingest->profile);
}

static uint64_t publish_deadline_ms(const struct ingest *ingest)
{
    if (!ingest->publishes)
        return UINT64_MAX;
    if (ingest->urgent)
        return 0;
    if (has_news(ingest))
        return ingest->publish_again_ms;
    return link_deadline_ms(&ingest->link, ingest->bytes_shown);
}

static uint64_t elf_deadline_ms(const struct ingest *ingest)
{
    return ingest->symbols.path && ingest->publishes ? ingest->elf_check_ms : UINT64_MAX;
}

static void do_what_is_due(struct ingest *ingest, uint64_t now_ms)
{
    connect_source(ingest, now_ms);
    if (now_ms >= idle_deadline_ms(ingest)) {
        ingest->idle_told = true;
        decoder_idle(ingest->decoder);
    }
    follow_orders(ingest);
    send_commands(ingest, now_ms);
    answer_command(ingest); /* a command given up answers, too */
    if (ingest->silent_shown != device_is_silent(&ingest->device))
        ingest->urgent = true;
    if (now_ms >= elf_deadline_ms(ingest)) {
        ingest->elf_check_ms = now_ms + ingest->timing.elf_check_ms;
        follow_symbols(ingest, symbols_look(&ingest->symbols, &ingest->target.told));
    }
    if (recording_flush(&ingest->recording, now_ms))
        ingest->urgent = true;
    if (now_ms >= publish_deadline_ms(ingest))
        ingest_publish(ingest, now_ms, false);
}

static uint64_t next_deadline_ms(const struct ingest *ingest)
{
    uint64_t next = connection_deadline_ms(&ingest->connection);
    next = earlier(next, idle_deadline_ms(ingest));
    next = earlier(next, device_deadline_ms(&ingest->device));
    next = earlier(next, elf_deadline_ms(ingest));
    next = earlier(next, recording_deadline_ms(&ingest->recording));
    return earlier(next, publish_deadline_ms(ingest));
}

/* Sleeps until something is due, somebody rings, or the source has something; true: read it. */
static bool wait(struct ingest *ingest)
{
    uint64_t now_ms = clock_monotonic_ms(), deadline_ms = next_deadline_ms(ingest);
    struct pollfd fds[2] = {{.fd = ingest->wake->fd, .events = POLLIN}, {.fd = -1}};
    bool read_at_deadline = false;
    if (connection_is_readable(&ingest->connection)) {
        if (now_ms < ingest->gather_until_ms) {
            deadline_ms = earlier(deadline_ms, ingest->gather_until_ms);
        } else {
            struct source_wait source = source_poll(ingest->source);
            fds[1] = (struct pollfd){.fd = source.fd, .events = source.events};
            if (source.timeout_ms >= 0 && now_ms + (uint64_t)source.timeout_ms <= deadline_ms) {
                deadline_ms = now_ms + (uint64_t)source.timeout_ms;
                read_at_deadline = true;
            }
        }
    }
    int timeout_ms = -1;
    if (deadline_ms != UINT64_MAX)
        timeout_ms = deadline_ms > now_ms ? (int)earlier(deadline_ms - now_ms, 60000) : 0;
    int ready = poll(fds, 2, timeout_ms);
    if (fds[0].revents)
        wake_clear(ingest->wake);
    return fds[1].revents || (read_at_deadline && ready == 0);
}

static void step(struct ingest *ingest)
{
    if (wait(ingest))
        read_source(ingest, clock_monotonic_ms());
    do_what_is_due(ingest, clock_monotonic_ms());
}

/* The device is told to stop and given the time to answer; what it sends meanwhile still counts. */
static void stop_device(struct ingest *ingest)
{
    device_stop(&ingest->device, clock_monotonic_ms());
    while (!device_has_stopped(&ingest->device) && ingest->connection.state == STATE_CONNECTED)
        step(ingest);
}

void ingest_run(struct ingest *ingest)
{
    pthread_setname_np(pthread_self(), "mp-ingest");
    uint64_t now_ms = clock_monotonic_ms();
    ingest->link.since_ms = ingest->elf_check_ms = now_ms;
    ingest->urgent = true;
    do_what_is_due(ingest, now_ms);
    while (!atomic_load(ingest->stop))
        step(ingest);

    stop_device(ingest);
    answer_command(ingest);
    mailbox_close(ingest->mailbox);
    if (ingest->connection.state != STATE_ENDED)
        end(ingest, NULL, clock_monotonic_ms());
}
