/* words.h - the text of a SyS-T message. */
#ifndef DIALECT_SYST_WORDS_H
#define DIALECT_SYST_WORDS_H

#include "dialect/syst/collateral.h"
#include "dialect/syst/message.h"
#include "dialect/syst/text.h"

/* The longest payload as text, and the longest of the other words. */
enum { SYST_PAYLOAD_TEXT_MAX = 2 * SYST_MESSAGE_MAX, SYST_WORD_MAX = 512 };

/* What there is to read messages by; each may be NULL. */
struct syst_key {
    const struct syst_client *client;                                     /* whose message it is */
    bool (*read_text)(void *user, uint64_t address, char *out, size_t n); /* as in dialect.h */
    void *read_text_user;
};

/* Writes the payload as text. When message->status is not OK, that is a dump of `bytes`, the whole message,
 * and the status may become other than OK by what the payload turns out to be. */
void syst_words_payload(struct syst_message *message, const struct syst_key *key, const uint8_t *bytes,
                        struct syst_text *text);

/* Writes the message's type, "STRING:ENTER"; of a RAW message its protocol by its name. */
void syst_words_type(const struct syst_message *message, const struct syst_key *key, struct syst_text *text);

/* Writes where the message was sent from, "file:line" or an address; nothing when neither the message nor its
 * catalog entry has one. */
void syst_words_location(const struct syst_message *message, const struct syst_key *key,
                         struct syst_text *text);

/* Writes who sent it: the client when it sends a GUID, else the module; their number when they
 * have no name. */
void syst_words_origin(const struct syst_message *message, const struct syst_key *key,
                       struct syst_text *text);

#endif
