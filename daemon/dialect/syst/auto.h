/* auto.h - detects how SyS-T messages are framed. */
#ifndef DIALECT_SYST_AUTO_H
#define DIALECT_SYST_AUTO_H

#include <stddef.h>
#include <stdint.h>

/* The framings. */
enum syst_kind { SYST_UNDECIDED, SYST_HEX, SYST_BACK_TO_BACK, SYST_STP };

/* The newest bytes, kept until a framing is detected. All zero is the initial state. */
enum { SYST_WINDOW = 2048 };
struct syst_auto {
    uint8_t bytes[SYST_WINDOW];
    size_t n;
};

/* Takes bytes until the framing is known or all are taken; sets *taken to how many. Once it is known, reading
 * begins with the window's content. */
enum syst_kind syst_auto_feed(struct syst_auto *window, const uint8_t *bytes, size_t n, size_t *taken);

/* Returns how messages in these n bytes are framed, as far as that can be seen. */
enum syst_kind syst_auto_kind(const uint8_t *bytes, size_t n);

/* Returns how certain it is that these bytes are of this dialect, as dialect->probe() does. */
int syst_auto_probe(const uint8_t *bytes, size_t n);

#endif
