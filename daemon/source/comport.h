/* comport.h - the conversation with a server that has a serial port: Telnet's options and RFC 2217, without
 * the socket; for the files of this room only.
 *
 * Whatever comes, its size is fixed: answers for which there is no room are left out. */
#ifndef SOURCE_COMPORT_H
#define SOURCE_COMPORT_H

#include "source/telnet.h"

/* What is agreed about an option, for one of the two sides. */
enum comport_agreed { COMPORT_UNASKED, COMPORT_ASKED, COMPORT_YES, COMPORT_NO };

enum { COMPORT_OPTIONS = 3, COMPORT_OUT_SIZE = 1024 };

/* What the server says its serial port runs with. The numbers are those of the RFC, and 0 where it has not
 * said. */
struct comport_line {
    uint32_t baud;     /* bits per second */
    uint8_t data_bits; /* 5 to 8 */
    uint8_t parity;    /* 1 none, 2 odd, 3 even, 4 mark, 5 space */
    uint8_t stop_bits; /* 1, 2; 3 is one and a half */
};

struct comport {
    struct telnet telnet;
    enum comport_agreed ours[COMPORT_OPTIONS], theirs[COMPORT_OPTIONS];
    bool has_heard;     /* an option: the server speaks Telnet */
    bool has_told_baud; /* the server sent a rate, which may be 0 */
    bool is_suspended;  /* the server wants no data for now */
    bool has_news;      /* an option or the line changed; for the reader to reset */
    uint32_t baud_wanted;
    struct comport_line line;
    uint8_t out[COMPORT_OUT_SIZE]; /* for the server, escaped */
    size_t out_n;
};

/* Begins a conversation: what is wanted of the server stands in `out` then. */
void comport_begin(struct comport *comport, uint32_t baud);

/* Takes n bytes of the server and writes the data among them to `data`, which may be the very same memory.
 * Returns how many these are, n at the most. */
size_t comport_feed(struct comport *comport, const uint8_t *bytes, size_t n, uint8_t *data);

/* Puts data for the serial port into `out`. Returns how many of the n bytes had room, 0 while the server
 * wants none. */
size_t comport_put(struct comport *comport, const uint8_t *bytes, size_t n);

/* Asks for another rate, which `line` has until the server tells another. False: there is no room for that
 * now. */
bool comport_set_baud(struct comport *comport, uint32_t baud);

/* Asks for DTR or RTS to be on or off. False: there is no room for that now. */
enum comport_modem_line { COMPORT_DTR, COMPORT_RTS };
bool comport_set_modem_line(struct comport *comport, enum comport_modem_line line, bool on);

/* The first n bytes of `out` were sent. */
void comport_sent(struct comport *comport, size_t n);

/* True when all is agreed that is needed for data to flow: binary both ways, and the rate, unless the server
 * leaves that to nobody. */
bool comport_is_settled(const struct comport *comport);

/* True when the server has agreed to pass data as it is, both ways. */
bool comport_is_binary(const struct comport *comport);

/* True when the server would change the data on the way, since it takes or sends text only. */
bool comport_is_text_only(const struct comport *comport);

/* True when the server lets us set its serial port. */
enum comport_agreed comport_control(const struct comport *comport);

#endif
