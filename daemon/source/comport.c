/* comport.c - the protocol with a server that has a serial port: Telnet's options and RFC 2217, without the
 * socket. */
#include "source/comport.h"

#include <string.h>

/* RFC 2217: the client's commands. The server's answers are 100 higher. */
enum {
    SET_BAUDRATE = 1,
    SET_DATASIZE = 2,
    SET_PARITY = 3,
    SET_STOPSIZE = 4,
    SET_CONTROL = 5,
    SET_LINESTATE_MASK = 10,
    SET_MODEMSTATE_MASK = 11,
    ANSWER = 100,
    ANSWER_SUSPEND = 108,
    ANSWER_RESUME = 109,
    NO_FLOW_CONTROL = 1,
    DTR_ON = 8, /* off is one more */
    RTS_ON = 11,
    NO_PARITY = 1,
    ONE_STOP_BIT = 1,
    EIGHT_DATA_BITS = 8,
};

enum { BINARY, GO_AHEAD, COM_PORT };
static const uint8_t option_codes[COMPORT_OPTIONS] = {
    [BINARY] = TELNET_BINARY, [GO_AHEAD] = TELNET_SUPPRESS_GO_AHEAD, [COM_PORT] = TELNET_COM_PORT};

static bool has_room(const struct comport *comport, size_t n)
{
    return sizeof comport->out - comport->out_n >= n;
}

static bool send_comport_bytes(struct comport *comport, const uint8_t *bytes, size_t n)
{
    if (!has_room(comport, n))
        return false;
    memcpy(comport->out + comport->out_n, bytes, n);
    comport->out_n += n;
    return true;
}

static void send_telnet_option(struct comport *comport, uint8_t verb, uint8_t option)
{
    const uint8_t bytes[] = {TELNET_IAC, verb, option};
    send_comport_bytes(comport, bytes, sizeof bytes);
}

/* Sends a command with a value of `size` bytes, the most significant first. */
static bool send_comport_command(struct comport *comport, uint8_t code, uint32_t value, int size)
{
    uint8_t bytes[14] = {TELNET_IAC, TELNET_SB, TELNET_COM_PORT, code};
    size_t n = 4;
    for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
        bytes[n++] = (uint8_t)(value >> shift);
        if (bytes[n - 1] == TELNET_IAC)
            bytes[n++] = TELNET_IAC;
    }
    bytes[n++] = TELNET_IAC;
    bytes[n++] = TELNET_SE;
    return send_comport_bytes(comport, bytes, n);
}

void comport_begin(struct comport *comport, uint32_t baud)
{
    *comport = (struct comport){.baud_wanted = baud};
    for (int i = 0; i < COMPORT_OPTIONS; i++) {
        comport->ours[i] = COMPORT_ASKED;
        send_telnet_option(comport, TELNET_WILL, option_codes[i]);
        if (i == COM_PORT) /* the client is our side only */
            continue;
        comport->theirs[i] = COMPORT_ASKED;
        send_telnet_option(comport, TELNET_DO, option_codes[i]);
    }
}

/* 8N1 without flow control, as for a local port. Reports on modem lines and errors are switched off, since
 * they would only wake us. */
static void set_line(struct comport *comport)
{
    send_comport_command(comport, SET_BAUDRATE, comport->baud_wanted, 4);
    send_comport_command(comport, SET_DATASIZE, EIGHT_DATA_BITS, 1);
    send_comport_command(comport, SET_PARITY, NO_PARITY, 1);
    send_comport_command(comport, SET_STOPSIZE, ONE_STOP_BIT, 1);
    send_comport_command(comport, SET_CONTROL, NO_FLOW_CONTROL, 1);
    send_comport_command(comport, SET_LINESTATE_MASK, 0, 1);
    send_comport_command(comport, SET_MODEMSTATE_MASK, 0, 1);
}

/* The other side wants an option on or off, for itself or for us. Unless we asked for it, only a change is
 * answered, so that the two ends never loop. */
static void take_option(struct comport *comport, uint8_t verb, uint8_t code)
{
    bool is_theirs = verb == TELNET_WILL || verb == TELNET_WONT;
    bool is_on = verb == TELNET_WILL || verb == TELNET_DO;
    uint8_t agree = is_theirs ? TELNET_DO : TELNET_WILL, refuse = is_theirs ? TELNET_DONT : TELNET_WONT;
    comport->has_heard = true;
    int i = 0;
    while (i < COMPORT_OPTIONS && option_codes[i] != code)
        i++;
    if (i == COMPORT_OPTIONS) {
        if (is_on)
            send_telnet_option(comport, refuse, code);
        return;
    }
    enum comport_agreed *agreed = is_theirs ? &comport->theirs[i] : &comport->ours[i];
    enum comport_agreed before = *agreed, after = is_on ? COMPORT_YES : COMPORT_NO;
    if (before == after)
        return;
    *agreed = after;
    comport->has_news = true;
    if (is_on ? before != COMPORT_ASKED : before == COMPORT_YES)
        send_telnet_option(comport, is_on ? agree : refuse, code);
    if (i == COM_PORT && !is_theirs && is_on)
        set_line(comport);
}

static void take_baud(struct comport *comport, const uint8_t *value)
{
    comport->line.baud =
        (uint32_t)value[0] << 24 | (uint32_t)value[1] << 16 | (uint32_t)value[2] << 8 | value[3];
    comport->has_told_baud = true;
}

static void take_answer(struct comport *comport, const uint8_t *sub, size_t n)
{
    if (n < 2 || sub[0] != TELNET_COM_PORT)
        return;
    const uint8_t *value = sub + 2;
    size_t size = n - 2;
    switch (sub[1]) {
    case ANSWER_SUSPEND: comport->is_suspended = true; return;
    case ANSWER_RESUME: comport->is_suspended = false; return;
    default: break;
    }
    if (sub[1] == ANSWER + SET_BAUDRATE && size == 4)
        take_baud(comport, value);
    else if (sub[1] == ANSWER + SET_DATASIZE && size == 1)
        comport->line.data_bits = *value;
    else if (sub[1] == ANSWER + SET_PARITY && size == 1)
        comport->line.parity = *value;
    else if (sub[1] == ANSWER + SET_STOPSIZE && size == 1)
        comport->line.stop_bits = *value;
    else
        return;
    comport->has_news = true;
}

size_t comport_feed(struct comport *comport, const uint8_t *bytes, size_t n, uint8_t *data)
{
    size_t at = 0, data_n = 0;
    while (at < n) {
        if (telnet_is_in_data(&comport->telnet) && bytes[at] != TELNET_IAC) {
            const uint8_t *iac = memchr(bytes + at, TELNET_IAC, n - at);
            size_t run = iac ? (size_t)(iac - bytes) - at : n - at;
            memmove(data + data_n, bytes + at, run);
            data_n += run;
            at += run;
            continue;
        }
        uint8_t byte = bytes[at++];
        switch (telnet_take(&comport->telnet, byte)) {
        case TELNET_NOTHING: break;
        case TELNET_DATA: data[data_n++] = byte; break;
        case TELNET_OPTION: take_option(comport, comport->telnet.verb, byte); break;
        case TELNET_NEGOTIATION: take_answer(comport, comport->telnet.sub, comport->telnet.sub_n); break;
        }
    }
    return data_n;
}

size_t comport_put(struct comport *comport, const uint8_t *bytes, size_t n)
{
    size_t at = 0;
    for (; at < n && has_room(comport, 2) && !comport->is_suspended; at++) {
        const uint8_t escaped[] = {bytes[at], TELNET_IAC};
        send_comport_bytes(comport, escaped, bytes[at] == TELNET_IAC ? 2 : 1);
    }
    return at;
}

bool comport_set_baud(struct comport *comport, uint32_t baud)
{
    if (!send_comport_command(comport, SET_BAUDRATE, baud, 4))
        return false;
    comport->baud_wanted = comport->line.baud = baud;
    return true;
}

bool comport_set_modem_line(struct comport *comport, enum comport_modem_line line, bool on)
{
    return send_comport_command(comport, SET_CONTROL, (line == COMPORT_DTR ? DTR_ON : RTS_ON) + !on, 1);
}

void comport_sent(struct comport *comport, size_t n)
{
    comport->out_n -= n;
    memmove(comport->out, comport->out + n, comport->out_n);
}

bool comport_is_binary(const struct comport *comport)
{
    return comport->ours[BINARY] == COMPORT_YES && comport->theirs[BINARY] == COMPORT_YES;
}

bool comport_is_settled(const struct comport *comport)
{
    return comport_is_binary(comport) && (comport->ours[COM_PORT] == COMPORT_NO || comport->has_told_baud);
}

bool comport_is_text_only(const struct comport *comport)
{
    return comport->ours[BINARY] == COMPORT_NO || comport->theirs[BINARY] == COMPORT_NO;
}

enum comport_agreed comport_control(const struct comport *comport)
{
    return comport->ours[COM_PORT];
}
