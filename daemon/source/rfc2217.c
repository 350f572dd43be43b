/* rfc2217.c - a serial port of another machine, behind a server that speaks RFC 2217 over Telnet (ser2net,
 * terminal servers): the bytes of comport.c over the connection of tcp.c. */
#include "base/clock.h"
#include "source/comport.h"
#include "source/transport.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* Time for a server to agree, once connected. */
enum { SETTLE_TIMEOUT_MS = 3000 };

/* Duration of a pulse of DTR or RTS, from the request to the server. */
enum { PULSE_MS = 100 };

struct rfc2217_source {
    struct source base;
    struct source *tcp;
    uint32_t baud;
    enum source_line modem_lines[2]; /* the user's wishes: COMPORT_DTR, COMPORT_RTS */
    bool has_set_lines;
    uint64_t pulse_end_ms; /* 0: no pulse */
    uint64_t deadline_ms;  /* for the server to agree; 0: not connected yet */
    struct comport comport;
};

/* The server's name, as the user wrote it. */
static const char *server_name(const struct rfc2217_source *rfc)
{
    return rfc->base.spec + strlen("rfc2217:");
}

static bool rfc2217_open(struct source *source, struct error *err)
{
    struct rfc2217_source *rfc = (struct rfc2217_source *)source;
    rfc->deadline_ms = rfc->pulse_end_ms = 0;
    rfc->has_set_lines = false;
    comport_begin(&rfc->comport, rfc->baud);
    return source_open(rfc->tcp, err);
}

static void rfc2217_close(struct source *source)
{
    source_close(((struct rfc2217_source *)source)->tcp);
}

static bool is_8n1(const struct comport_line *line)
{
    return (!line->data_bits || line->data_bits == 8) && line->parity <= 1 && line->stop_bits <= 1;
}

static void make_remark(struct rfc2217_source *rfc)
{
    const struct comport_line *line = &rfc->comport.line;
    struct error *remark = &rfc->base.remark;
    enum comport_agreed control = comport_control(&rfc->comport);
    if (!comport_is_binary(&rfc->comport))
        error_set(
            remark,
            "%s has not agreed to pass bytes as they are (Telnet's BINARY); where packets come damaged, use "
            "a server that speaks RFC 2217.",
            server_name(rfc));
    else if (control != COMPORT_YES)
        error_set(remark,
                  "%s lets nobody set its serial port (it %s RFC 2217), so the rate is the one that is set "
                  "there; in ser2net it takes telnet(rfc2217).",
                  server_name(rfc), control == COMPORT_NO ? "refuses" : "does not answer to");
    else if (line->baud == 0)
        error_set(remark, "%s does not say at which rate it runs its serial port; it was asked for %u baud.",
                  server_name(rfc), rfc->comport.baud_wanted);
    else if (line->baud != rfc->comport.baud_wanted)
        error_set(remark, "%s runs its serial port at %u baud, not at %u; choose a speed it can have.",
                  server_name(rfc), line->baud, rfc->comport.baud_wanted);
    else if (!is_8n1(line))
        error_set(remark,
                  "%s does not run its serial port with 8 data bits, no parity and one stop bit (it says %u, "
                  "%u and %u, in the numbers of RFC 2217); set it so there.",
                  server_name(rfc), line->data_bits, line->parity, line->stop_bits);
    else
        *remark = (struct error){""};
}

static void take_news(struct rfc2217_source *rfc)
{
    if (!rfc->base.is_open || !rfc->comport.has_news)
        return;
    rfc->comport.has_news = false;
    rfc->base.baud = comport_control(&rfc->comport) == COMPORT_YES ? rfc->comport.line.baud : 0;
    make_remark(rfc);
}

static bool send_out(struct rfc2217_source *rfc)
{
    struct comport *comport = &rfc->comport;
    if (comport->out_n == 0)
        return true;
    ssize_t sent = rfc->tcp->ops->write(rfc->tcp, comport->out, comport->out_n);
    if (sent > 0)
        comport_sent(comport, (size_t)sent);
    return sent >= 0;
}

/* True if the server can be used, or it is not decided yet. */
static bool is_usable(const struct rfc2217_source *rfc, struct error *err)
{
    if (comport_is_text_only(&rfc->comport))
        return error_set(
            err,
            "%s refuses to pass bytes as they are (Telnet's BINARY), so they would be changed on "
            "the way; use a server that speaks RFC 2217.",
            server_name(rfc));
    if (!rfc->base.is_open && !rfc->comport.has_heard && clock_monotonic_ms() >= rfc->deadline_ms)
        return error_set(err,
                         "%s does not speak Telnet; if it passes bytes as they are, it is --port tcp:%s.",
                         server_name(rfc), server_name(rfc));
    return true;
}

static void set_lines(struct rfc2217_source *rfc)
{
    uint64_t pulse_end_ms = clock_monotonic_ms() + PULSE_MS;
    rfc->has_set_lines = true;
    for (int i = COMPORT_DTR; i <= COMPORT_RTS; i++) {
        enum source_line wanted = rfc->modem_lines[i];
        if (wanted != SOURCE_LINE_KEEP)
            comport_set_modem_line(&rfc->comport, (enum comport_modem_line)i, wanted == SOURCE_LINE_ON);
        if (wanted == SOURCE_LINE_PULSE)
            rfc->pulse_end_ms = pulse_end_ms;
    }
}

static void end_pulse(struct rfc2217_source *rfc)
{
    rfc->pulse_end_ms = 0;
    for (int i = COMPORT_DTR; i <= COMPORT_RTS; i++)
        if (rfc->modem_lines[i] == SOURCE_LINE_PULSE)
            comport_set_modem_line(&rfc->comport, (enum comport_modem_line)i, true);
}

/* Sets DTR and RTS as soon as the server allows it. Returns false during a pulse. */
static bool lines_are_set(struct rfc2217_source *rfc)
{
    if (comport_control(&rfc->comport) != COMPORT_YES)
        return true;
    if (!rfc->has_set_lines)
        set_lines(rfc);
    if (rfc->pulse_end_ms && clock_monotonic_ms() >= rfc->pulse_end_ms)
        end_pulse(rfc);
    return !rfc->pulse_end_ms;
}

/* Reads the server's answers until all is agreed, or time is up; then continues with what was agreed, and the
 * remark reports the rest. Earlier data came at an unknown rate and is dropped. */
static enum source_result settle_negotiation(struct rfc2217_source *rfc, struct error *err)
{
    uint8_t bytes[512];
    size_t n;
    enum source_result result = source_read(rfc->tcp, bytes, sizeof bytes, &n, err);
    if (!rfc->tcp->is_open || result == SOURCE_GONE)
        return result;
    if (rfc->deadline_ms == 0)
        rfc->deadline_ms = clock_monotonic_ms() + SETTLE_TIMEOUT_MS;
    comport_feed(&rfc->comport, bytes, n, bytes);
    bool is_ready = lines_are_set(rfc);
    send_out(rfc);
    if (!is_usable(rfc, err))
        return SOURCE_GONE;
    rfc->base.is_open =
        is_ready && (comport_is_settled(&rfc->comport) || clock_monotonic_ms() >= rfc->deadline_ms);
    rfc->comport.has_news = true;
    take_news(rfc);
    return SOURCE_QUIET;
}

static struct source_wait rfc2217_poll(const struct source *source)
{
    const struct rfc2217_source *rfc = (const struct rfc2217_source *)source;
    struct source_wait wait = source_poll(rfc->tcp);
    if (!rfc->tcp->is_open)
        return wait;
    if (rfc->comport.out_n > 0 || (source->outgoing_n > 0 && !rfc->comport.is_suspended))
        wait.events |= POLLOUT;
    if (!source->is_open) {
        uint64_t now_ms = clock_monotonic_ms();
        uint64_t next_ms = rfc->pulse_end_ms ? rfc->pulse_end_ms : rfc->deadline_ms;
        wait.timeout_ms = now_ms < next_ms ? (int)(next_ms - now_ms) : 0;
    }
    return wait;
}

static enum source_result rfc2217_read(struct source *source, void *bytes, size_t room, size_t *n,
                                       struct error *err)
{
    struct rfc2217_source *rfc = (struct rfc2217_source *)source;
    if (!source->is_open)
        return settle_negotiation(rfc, err);
    size_t got;
    enum source_result result = source_read(rfc->tcp, bytes, room, &got, err);
    if (result != SOURCE_DATA) {
        send_out(rfc);
        return result;
    }
    source->patience_ms = source_patience_ms(rfc->tcp);
    *n = comport_feed(&rfc->comport, bytes, got, bytes);
    send_out(rfc);
    if (!is_usable(rfc, err))
        return SOURCE_GONE;
    take_news(rfc);
    return *n > 0 ? SOURCE_DATA : SOURCE_QUIET;
}

static ssize_t rfc2217_write(struct source *source, const void *bytes, size_t n)
{
    struct rfc2217_source *rfc = (struct rfc2217_source *)source;
    size_t put = comport_put(&rfc->comport, bytes, n);
    if (!send_out(rfc) && put == 0)
        return -1;
    return (ssize_t)put;
}

/* The server reports the actual rate later; until then the requested one is assumed. */
static void rfc2217_set_baud(struct source *source, uint32_t baud)
{
    struct rfc2217_source *rfc = (struct rfc2217_source *)source;
    if (comport_set_baud(&rfc->comport, baud))
        source->baud = baud;
    send_out(rfc);
}

static void rfc2217_free(struct source *source)
{
    source_free(((struct rfc2217_source *)source)->tcp);
    free(source);
}

static const struct source_ops rfc2217_ops = {
    .patience_ms = 4,
    .free = rfc2217_free,
    .open = rfc2217_open,
    .close = rfc2217_close,
    .poll = rfc2217_poll,
    .read = rfc2217_read,
    .write = rfc2217_write,
    .set_baud = rfc2217_set_baud,
};

struct source *rfc2217_source_new(const struct source_settings *settings, const char *address,
                                  struct error *err)
{
    if (settings->baud == 0 || settings->baud > INT_MAX) {
        error_set(err, "A serial port cannot run at %u baud; use for example --baud 115200.", settings->baud);
        return NULL;
    }
    struct rfc2217_source *rfc = calloc(1, sizeof *rfc);
    if (!rfc) {
        error_set(err, "Out of memory while preparing %s.", settings->spec);
        return NULL;
    }
    rfc->base.ops = &rfc2217_ops;
    rfc->baud = settings->baud;
    rfc->modem_lines[COMPORT_DTR] = settings->dtr;
    rfc->modem_lines[COMPORT_RTS] = settings->rts;
    rfc->tcp = tcp_source_new(settings, address, err);
    if (!rfc->tcp) {
        free(rfc);
        return NULL;
    }
    return &rfc->base;
}
