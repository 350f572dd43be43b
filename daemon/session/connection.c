/* connection.c - keeps the source open: connects, detects that it is lost, and reconnects. */
#include "session/connection.h"

#include "base/log.h"
#include "base/smaller.h"

#include <string.h>

void connection_init(struct connection *connection, struct source *source, uint32_t retry_first_ms,
                     uint32_t retry_most_ms)
{
    *connection = (struct connection){
        .source = source,
        .state = STATE_CONNECTING,
        .retry_first_ms = retry_first_ms,
        .retry_most_ms = retry_most_ms,
        .retry_ms = retry_first_ms,
    };
}

/* Logs a problem once, not at every attempt. */
static bool take_trouble(struct connection *connection, const struct error *why)
{
    if (strcmp(connection->trouble.text, why->text) == 0)
        return false;
    connection->trouble = *why;
    log_write(LOG_WARNING, "%s", why->text);
    return true;
}

/* The delay grows while a device answers with errors or another program has the port. A missing adapter is
 * looked for at a constant rate, since the user who plugs it in is waiting. */
static void try_later(struct connection *connection, uint64_t now_ms)
{
    uint32_t most_ms = connection->retry_most_ms;
    if (source_is_missing(connection->source))
        most_ms = smaller_u32(most_ms, CONNECTION_LOOK_MS);
    connection->trying = false;
    connection->next_try_ms = now_ms + smaller_u32(connection->retry_ms, most_ms);
    connection->retry_ms = smaller_u32(2 * connection->retry_ms, most_ms);
}

static void note_connection_made(struct connection *connection, uint64_t now_ms)
{
    uint32_t baud = source_baud(connection->source);
    if (baud)
        log_write(LOG_INFO, "%s is open at %u baud", source_spec(connection->source), baud);
    else
        log_write(LOG_INFO, "%s is open", source_spec(connection->source));
    connection->trying = false;
    connection->reconnects += connection->was_open;
    connection->was_open = true;
    connection->state = STATE_CONNECTED;
    connection->trouble = (struct error){""};
    connection->made_ms = now_ms;
}

void connection_begin(struct connection *connection, uint64_t now_ms)
{
    struct error why = {""};
    connection->trying = source_open(connection->source, &why);
    if (connection->trying)
        return;
    try_later(connection, now_ms);
    take_trouble(connection, &why);
}

enum connection_news connection_step(struct connection *connection, uint64_t now_ms)
{
    if (connection->state == STATE_CONNECTED || connection->state == STATE_ENDED)
        return CONNECTION_NOTHING;
    if (!connection->trying) {
        if (now_ms < connection->next_try_ms)
            return CONNECTION_NOTHING;
        struct error why = {""};
        if (!source_is_open(connection->source) && !source_open(connection->source, &why)) {
            try_later(connection, now_ms);
            return take_trouble(connection, &why) ? CONNECTION_CHANGED : CONNECTION_NOTHING;
        }
        connection->trying = true;
    }
    if (!source_is_open(connection->source))
        return CONNECTION_NOTHING;
    note_connection_made(connection, now_ms);
    return CONNECTION_MADE;
}

bool connection_lose(struct connection *connection, const struct error *why, uint64_t now_ms)
{
    bool news = connection->state == STATE_CONNECTED;
    source_close(connection->source);
    if (news) {
        connection->state = STATE_LOST;
        connection->lost_ms = now_ms;
    }
    /* A server that accepts every connection and closes it at once (a busy ser2net) is no success. */
    if (news && now_ms - connection->made_ms >= connection->retry_most_ms)
        connection->retry_ms = connection->retry_first_ms;
    try_later(connection, now_ms);
    return take_trouble(connection, why) || news;
}

void connection_end(struct connection *connection, const struct error *why)
{
    source_close(connection->source);
    connection->trying = false;
    connection->state = STATE_ENDED;
    connection->trouble = (struct error){""};
    if (why)
        take_trouble(connection, why);
}

uint64_t connection_deadline_ms(const struct connection *connection)
{
    bool waits = connection->state == STATE_CONNECTING || connection->state == STATE_LOST;
    return waits && !connection->trying ? connection->next_try_ms : UINT64_MAX;
}

bool connection_is_readable(const struct connection *connection)
{
    return connection->trying || connection->state == STATE_CONNECTED;
}
