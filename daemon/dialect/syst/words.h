/* words.h - writes the text of a SyS-T message. */
#ifndef DIALECT_SYST_WORDS_H
#define DIALECT_SYST_WORDS_H

#include "dialect/syst/collateral.h"
#include "dialect/syst/message.h"
#include "dialect/syst/text.h"

/* The longest payload as text, and the longest of the other texts. */
enum { SYST_PAYLOAD_TEXT_MAX = 2 * SYST_MESSAGE_MAX, SYST_WORD_MAX = 512 };

/* What is needed to read messages; each may be NULL. */
struct syst_key {
    const struct syst_client *client;                                     /* the message's client */
    bool (*read_text)(void *user, uint64_t address, char *out, size_t n); /* as in dialect.h */
    void *read_text_user;
};

/* Writes the payload as text. If message->status is not OK, or the payload turns out to be wrong, which sets
 * it, the text is a dump of `bytes`, the whole message, unless a part of it was written before. */
void syst_words_payload(struct syst_message *message, const struct syst_key *key, const uint8_t *bytes,
                        struct syst_text *text);

/* Writes the message's type, such as "STRING:ENTER"; for a RAW message, the name of its protocol. */
void syst_words_type(const struct syst_message *message, const struct syst_key *key, struct syst_text *text);

/* Writes the source location of the message, "file:line" or an address; nothing when neither the message nor
 * its catalog entry has one. */
void syst_words_location(const struct syst_message *message, const struct syst_key *key,
                         struct syst_text *text);

/* Writes the origin of the message: the client if it has a GUID, otherwise the module; its number when it has
 * no name. */
void syst_words_origin(const struct syst_message *message, const struct syst_key *key,
                       struct syst_text *text);

#endif
