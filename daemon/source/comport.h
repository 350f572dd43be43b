/* comport.h - the protocol with a server that has a serial port: Telnet's options and RFC 2217, without the
 * socket. Only for files of this room.
 *
 * Its size is fixed whatever comes: answers that do not fit are dropped. */
#ifndef SOURCE_COMPORT_H
#define SOURCE_COMPORT_H

#include "source/telnet.h"

/* The state of an option, for one of the two sides. */
enum comport_agreed { COMPORT_UNASKED, COMPORT_ASKED, COMPORT_YES, COMPORT_NO };

enum { COMPORT_OPTIONS = 3, COMPORT_OUT_SIZE = 1024 };

/* The settings of the server's serial port, with the numbers of the RFC; 0 where the server has not sent
 * one. */
struct comport_line {
    uint32_t baud;     /* bits per second */
    uint8_t data_bits; /* 5 to 8 */
    uint8_t parity;    /* 1 none, 2 odd, 3 even, 4 mark, 5 space */
    uint8_t stop_bits; /* 1, 2; 3 is one and a half */
};

struct comport {
    struct telnet telnet;
    enum comport_agreed ours[COMPORT_OPTIONS], theirs[COMPORT_OPTIONS];
    bool has_heard;     /* an option arrived: the server speaks Telnet */
    bool has_told_baud; /* the server sent a rate, which may be 0 */
    bool is_suspended;  /* the server accepts no data for now */
    bool has_news;      /* an option or the line has changed; reset by the reader */
    uint32_t baud_wanted;
    struct comport_line line;
    uint8_t out[COMPORT_OUT_SIZE]; /* for the server, with escapes */
    size_t out_n;
};

/* Begins a conversation: `out` then has the requests to the server. */
void comport_begin(struct comport *comport, uint32_t baud);

/* Reads n bytes of the server and writes the data among them to `data`, which may be the same memory. Returns
 * the number of data bytes, at most n. */
size_t comport_feed(struct comport *comport, const uint8_t *bytes, size_t n, uint8_t *data);

/* Appends data for the serial port to `out`. Returns how many of the n bytes fit; 0 while the server accepts
 * none. */
size_t comport_put(struct comport *comport, const uint8_t *bytes, size_t n);

/* Requests another rate, which `line` has until the server sends another. Returns false if there is no space
 * for the request now. */
bool comport_set_baud(struct comport *comport, uint32_t baud);

/* Requests DTR or RTS to be on or off. Returns false if there is no space for the request now. */
enum comport_modem_line { COMPORT_DTR, COMPORT_RTS };
bool comport_set_modem_line(struct comport *comport, enum comport_modem_line line, bool on);

/* Removes the first n bytes of `out`, which were sent. */
void comport_sent(struct comport *comport, size_t n);

/* True when everything needed for data to flow is agreed: binary mode in both directions, and the rate,
 * unless the server does not let clients set it. */
bool comport_is_settled(const struct comport *comport);

/* True when the server has agreed to pass data unchanged in both directions. */
bool comport_is_binary(const struct comport *comport);

/* True when the server would change the data, since it accepts or sends text only. */
bool comport_is_text_only(const struct comport *comport);

/* Tells whether the server lets clients set its serial port. */
enum comport_agreed comport_control(const struct comport *comport);

#endif
