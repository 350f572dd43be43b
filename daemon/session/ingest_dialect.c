/* ingest_dialect.c - what people are told about the dialect of what comes. */
#include "session/ingest.h"

/* What was found out about it, once. Only framed ones hear commands. */
static void tell_choice(struct ingest *ingest)
{
    const struct dialect *dialect = decoder_dialect(ingest->decoder);
    enum decoder_choice choice = decoder_choice(ingest->decoder);
    const char *port = ingest->shown.port;
    if (ingest->choice_told || choice == DECODER_NAMED || choice == DECODER_UNDECIDED)
        return;
    ingest->choice_told = ingest->urgent = true;
    ingest->shown.dialect = dialect->id;
    if (dialect->framing == DIALECT_RAW && ingest->device.control) {
        device_disconnect(&ingest->device);
        ingest->device.control = false;
        ingest->shown.listen_only = true;
    }
    if (choice == DECODER_SURE)
        log_write(LOG_INFO, "%s speaks %s, by the look of its first bytes.", port, dialect->id);
    else if (decoder_bytes(ingest->decoder) > 0 && !ingest->shown.disguise)
        log_write(LOG_WARNING,
                  "The first bytes of %s look like no dialect, so they are read as %s; if that is wrong, use "
                  "--dialect NAME.",
                  port, dialect->id);
}

static void tell_disguise(struct ingest *ingest)
{
    const char *sentence = ingest->examiner.sentence;
    if (sentence == ingest->shown.disguise)
        return;
    ingest->shown.disguise = sentence;
    ingest->urgent = true;
    if (sentence && log_gate_open(&ingest->disguise_gate))
        log_write(LOG_WARNING, "%s: %s%s", ingest->shown.port, sentence,
                  ingest->examiner.undo ? " It is read all the same." : "");
}

void ingest_tell_dialect(struct ingest *ingest)
{
    tell_disguise(ingest);
    const struct dialect *other = decoder_looks_like(ingest->decoder);
    if (!other)
        other = ingest->examiner.looks_like;
    const char *id = other ? other->id : NULL;
    tell_choice(ingest);
    if (id == ingest->shown.looks_like)
        return;
    ingest->shown.looks_like = id;
    ingest->urgent = true;
    if (other && log_gate_open(&ingest->dialect_gate))
        log_write(LOG_WARNING, "What %s sends makes no sense as %s but looks like %s; use --dialect %s.",
                  ingest->shown.port, ingest->shown.dialect, id, id);
}
