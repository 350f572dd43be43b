/* telnet.c - parses Telnet (RFC 854): data, options, subnegotiations. */
#include "source/telnet.h"

enum { IN_DATA, AFTER_IAC, AFTER_VERB, IN_SUB, IN_SUB_AFTER_IAC };

static void keep_subnegotiation_byte(struct telnet *telnet, uint8_t byte)
{
    if (telnet->sub_n < sizeof telnet->sub)
        telnet->sub[telnet->sub_n++] = byte;
    else
        telnet->sub_is_too_long = true;
}

static enum telnet_item after_iac(struct telnet *telnet, uint8_t byte)
{
    telnet->state = IN_DATA;
    switch (byte) {
    case TELNET_IAC: return TELNET_DATA;
    case TELNET_WILL:
    case TELNET_WONT:
    case TELNET_DO:
    case TELNET_DONT:
        telnet->verb = byte;
        telnet->state = AFTER_VERB;
        return TELNET_NOTHING;
    case TELNET_SB:
        telnet->sub_n = 0;
        telnet->sub_is_too_long = false;
        telnet->state = IN_SUB;
        return TELNET_NOTHING;
    default: return TELNET_NOTHING; /* NOP, break, are you there, ... */
    }
}

/* A command inside a subnegotiation is an error: the sender has left out the end. */
static enum telnet_item in_sub_after_iac(struct telnet *telnet, uint8_t byte)
{
    if (byte == TELNET_IAC) {
        keep_subnegotiation_byte(telnet, byte);
        telnet->state = IN_SUB;
        return TELNET_NOTHING;
    }
    if (byte != TELNET_SE)
        return after_iac(telnet, byte);
    telnet->state = IN_DATA;
    return telnet->sub_n > 0 && !telnet->sub_is_too_long ? TELNET_NEGOTIATION : TELNET_NOTHING;
}

enum telnet_item telnet_take(struct telnet *telnet, uint8_t byte)
{
    switch (telnet->state) {
    case AFTER_IAC: return after_iac(telnet, byte);
    case AFTER_VERB: telnet->state = IN_DATA; return TELNET_OPTION;
    case IN_SUB:
        if (byte == TELNET_IAC)
            telnet->state = IN_SUB_AFTER_IAC;
        else
            keep_subnegotiation_byte(telnet, byte);
        return TELNET_NOTHING;
    case IN_SUB_AFTER_IAC: return in_sub_after_iac(telnet, byte);
    default:
        if (byte != TELNET_IAC)
            return TELNET_DATA;
        telnet->state = AFTER_IAC;
        return TELNET_NOTHING;
    }
}
