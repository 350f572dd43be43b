/* telnet.h - parses Telnet (RFC 854): data, options, subnegotiations. Only for files of this room. */
#ifndef SOURCE_TELNET_H
#define SOURCE_TELNET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TELNET_SE = 240,
    TELNET_SB = 250,
    TELNET_WILL = 251,
    TELNET_WONT = 252,
    TELNET_DO = 253,
    TELNET_DONT = 254,
    TELNET_IAC = 255,

    TELNET_BINARY = 0,
    TELNET_SUPPRESS_GO_AHEAD = 3,
    TELNET_COM_PORT = 44,

    TELNET_SUB_SIZE = 16, /* longer subnegotiations are of no use here */
};

/* A parser. Zero is the start state; its size is fixed. */
struct telnet {
    uint8_t state, verb;
    uint8_t sub[TELNET_SUB_SIZE]; /* option and its data, without escapes */
    uint8_t sub_n;
    bool sub_is_too_long;
};

enum telnet_item {
    TELNET_NOTHING,     /* the byte is part of something longer, or of an unused command */
    TELNET_DATA,        /* the byte is data; after an escape it is 0xFF */
    TELNET_OPTION,      /* WILL, WONT, DO or DONT is in `verb`, and the byte is the option */
    TELNET_NEGOTIATION, /* a subnegotiation is complete: sub[0] to sub[sub_n - 1], at least one byte */
};

/* Parses the next byte. */
enum telnet_item telnet_take(struct telnet *telnet, uint8_t byte);

/* True if the next byte is data unless it is 0xFF. */
static inline bool telnet_is_in_data(const struct telnet *telnet)
{
    return telnet->state == 0;
}

#endif
