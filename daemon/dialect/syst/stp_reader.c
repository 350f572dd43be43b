/* stp_reader.c - puts messages together from the packets of a MIPI System Trace Protocol stream.
 *
 * A message consists of the values of one master and channel, from one with a stamp up to a flag or to a
 * value that is marked as the last. Packets of others may come in between. */
#include "dialect/syst/stp_reader.h"

#include <string.h>

/* ---- parts ---- */

/* Allocates a part. Returns its number from 1 on, or 0 when all are in use. */
static uint16_t take_part(struct syst_stp_reader *reader)
{
    uint16_t part = reader->parts_free;
    if (part)
        reader->parts_free = reader->next[part - 1];
    else if (reader->parts_used < SYST_STP_PARTS)
        part = ++reader->parts_used;
    if (part)
        reader->next[part - 1] = 0;
    return part;
}

static void close_message(struct syst_stp_reader *reader, struct syst_stp_open *open)
{
    if (open->last) {
        reader->next[open->last - 1] = reader->parts_free;
        reader->parts_free = open->first;
    }
    open->is_open = false;
    open->first = open->last = 0;
    reader->open_n--;
    if (reader->current && &reader->open[reader->current - 1] == open)
        reader->current = 0;
}

static const uint8_t *put_together(struct syst_stp_reader *reader, const struct syst_stp_open *open)
{
    if (open->first == open->last)
        return open->first ? reader->part[open->first - 1] : reader->whole;
    size_t n = 0;
    for (uint16_t part = open->first; part; part = reader->next[part - 1]) {
        size_t some = open->n - n < SYST_STP_PART ? open->n - n : SYST_STP_PART;
        memcpy(reader->whole + n, reader->part[part - 1], some);
        n += some;
    }
    return reader->whole;
}

/* ---- messages ---- */

/* Finds the open message of the current master and channel. */
static void find_current(struct syst_stp_reader *reader)
{
    reader->current = 0;
    for (uint8_t i = 0; reader->open_n > 0 && i < SYST_STP_SENDERS_OPEN; i++) {
        const struct syst_stp_open *open = &reader->open[i];
        if (open->is_open && open->master == reader->master && open->channel == reader->channel)
            reader->current = i + 1;
    }
}

/* Drops the message that has waited longest, and reports it as lost. */
static void give_up_oldest(struct syst_stp_reader *reader, const struct syst_out *out)
{
    struct syst_stp_open *oldest = NULL;
    for (int i = 0; i < SYST_STP_SENDERS_OPEN; i++) {
        struct syst_stp_open *open = &reader->open[i];
        if (open->is_open &&
            (!oldest || reader->packets_n - open->touched > reader->packets_n - oldest->touched))
            oldest = open;
    }
    if (!oldest)
        return;
    close_message(reader, oldest);
    out->lost(out->user);
}

/* True when the message has a length, and is complete. */
static bool is_complete(struct syst_stp_reader *reader, const struct syst_stp_open *open)
{
    const uint8_t *bytes = put_together(reader, open);
    size_t size;
    return syst_claim(bytes, open->n, &size) == SYST_CLAIM_STRONG && size == open->n &&
           syst_message_parse(bytes, open->n).status == SYST_OK;
}

static void end_message(struct syst_stp_reader *reader, struct syst_stp_open *open,
                        const struct syst_out *out)
{
    struct syst_frame frame = {.bytes = put_together(reader, open),
                               .n = open->n,
                               .has_channel = true,
                               .has_time = reader->packets.stamps <= SYST_STP_GRAY,
                               .time = open->start_time,
                               .hz = reader->packets.hz,
                               .master = open->master,
                               .channel = open->channel};
    bool is_sure = is_complete(reader, open);
    if (is_sure) {
        reader->sure_master = open->master;
        reader->sure_channel = open->channel;
    }
    if (!open->is_doubted || is_sure)
        out->message(out->user, &frame);
    close_message(reader, open);
}

static void end_current(struct syst_stp_reader *reader, const struct syst_out *out)
{
    if (reader->current)
        end_message(reader, &reader->open[reader->current - 1], out);
}

/* A complete message does not wait for its flag, which may be lost: otherwise later ones might be reported
 * first. */
static void select_sender(struct syst_stp_reader *reader, uint16_t master, uint16_t channel,
                          const struct syst_out *out)
{
    if (reader->current && is_complete(reader, &reader->open[reader->current - 1]))
        end_current(reader, out);
    reader->master = master;
    reader->channel = channel;
    find_current(reader);
}

static void begin_message(struct syst_stp_reader *reader, const struct syst_out *out)
{
    if (reader->current) { /* only the last one's flag may be lost; its length will show */
        out->health->framing_errors++;
        end_current(reader, out);
    }
    if (reader->open_n == SYST_STP_SENDERS_OPEN)
        give_up_oldest(reader, out);
    for (uint8_t i = 0; i < SYST_STP_SENDERS_OPEN; i++) {
        if (reader->open[i].is_open)
            continue;
        reader->open[i] = (struct syst_stp_open){.is_open = true,
                                                 .master = reader->master,
                                                 .channel = reader->channel,
                                                 .start_time = reader->packets.time};
        reader->open_n++;
        reader->current = i + 1;
        return;
    }
}

static bool add_byte(struct syst_stp_reader *reader, struct syst_stp_open *open, uint8_t byte,
                     const struct syst_out *out)
{
    size_t at = open->n % SYST_STP_PART;
    if (at == 0) {
        uint16_t part = take_part(reader);
        while (!part && reader->open_n > 1) {
            open->touched = reader->packets_n;
            give_up_oldest(reader, out);
            part = take_part(reader);
        }
        if (!part)
            return false;
        if (open->last)
            reader->next[open->last - 1] = part;
        else
            open->first = part;
        open->last = part;
    }
    reader->part[open->last - 1][at] = byte;
    open->n++;
    return true;
}

static void add_data(struct syst_stp_reader *reader, const struct syst_out *out)
{
    size_t n = reader->packets.packet.nibbles / 2;
    if (!reader->current) { /* the start of the message was lost */
        out->health->bytes_skipped += n;
        return;
    }
    struct syst_stp_open *open = &reader->open[reader->current - 1];
    open->touched = reader->packets_n;
    for (size_t i = 0; i < n; i++)
        if (open->n == SYST_STP_MESSAGE_MAX ||
            !add_byte(reader, open, (uint8_t)(reader->packets.value >> 8 * i), out)) {
            syst_stp_reader_lose(reader, out);
            return;
        }
}

/* ---- packets ---- */

/* The target reports that packets are missing: of one channel, of one master, or of all. A complete message
 * only lacks its flag, and does not wait for it. */
static void doubt(struct syst_stp_reader *reader, bool one_master, bool one_channel,
                  const struct syst_out *out)
{
    for (int i = 0; i < SYST_STP_SENDERS_OPEN; i++) {
        struct syst_stp_open *open = &reader->open[i];
        if (!open->is_open || (one_master && open->master != reader->master) ||
            (one_channel && open->channel != reader->channel))
            continue;
        open->is_doubted = true;
        if (is_complete(reader, open))
            end_message(reader, open, out);
    }
    out->lost(out->user);
}

static void take_data(struct syst_stp_reader *reader, const struct syst_out *out)
{
    if (reader->packets.packet.has_time)
        begin_message(reader, out);
    add_data(reader, out);
    if (reader->packets.packet.is_marked)
        end_current(reader, out);
}

static void take_packet(struct syst_stp_reader *reader, const struct syst_out *out)
{
    uint64_t value = reader->packets.value;
    reader->packets_n++;
    switch (reader->packets.packet.kind) {
    case SYST_STP_DATA: take_data(reader, out); break;
    case SYST_STP_FLAG: end_current(reader, out); break;
    case SYST_STP_MASTER8:
        select_sender(reader, (uint16_t)((reader->master & 0xFF00) | value), 0, out);
        break;
    case SYST_STP_MASTER16: select_sender(reader, (uint16_t)value, 0, out); break;
    case SYST_STP_CHANNEL8:
        select_sender(reader, reader->master, (uint16_t)((reader->channel & 0xFF00) | value), out);
        break;
    case SYST_STP_CHANNEL16: select_sender(reader, reader->master, (uint16_t)value, out); break;
    case SYST_STP_MASTER_ERROR:
        doubt(reader, true, false, out);
        select_sender(reader, reader->master, 0, out);
        break;
    case SYST_STP_CHANNEL_ERROR: doubt(reader, true, true, out); break;
    case SYST_STP_GLOBAL_ERROR:
        doubt(reader, false, false, out);
        select_sender(reader, 0, 0, out);
        break;
    case SYST_STP_VERSION: select_sender(reader, 0, 0, out); break;
    default: break;
    }
}

/* Reports open messages as lost, or one record if there are none. */
static void tell_loss(struct syst_stp_reader *reader, const struct syst_out *out)
{
    out->health->framing_errors++;
    if (reader->open_n == 0)
        out->lost(out->user);
    while (reader->open_n > 0)
        give_up_oldest(reader, out);
}

void syst_stp_reader_lose(struct syst_stp_reader *reader, const struct syst_out *out)
{
    if (syst_stp_packets_lose(&reader->packets))
        tell_loss(reader, out);
}

void syst_stp_reader_feed(struct syst_stp_reader *reader, uint8_t nibble, const struct syst_out *out)
{
    switch (syst_stp_packets_feed(&reader->packets, nibble)) {
    case SYST_STP_PACKET: take_packet(reader, out); break;
    case SYST_STP_LOST:
    case SYST_STP_RESYNC: tell_loss(reader, out); break;
    default: break;
    }
}

void syst_stp_reader_finish(struct syst_stp_reader *reader, const struct syst_out *out)
{
    for (int i = 0; i < SYST_STP_SENDERS_OPEN; i++) {
        struct syst_stp_open *open = &reader->open[i];
        if (open->is_open && is_complete(reader, open))
            end_message(reader, open, out);
        else if (open->is_open)
            close_message(reader, open);
    }
}

void syst_stp_reader_clear(struct syst_stp_reader *reader, bool most_first)
{
    memset(reader, 0, offsetof(struct syst_stp_reader, next));
    reader->packets.most_first = most_first;
}

void syst_stp_reader_start(struct syst_stp_reader *reader, uint32_t header, const struct syst_out *out)
{
    while (reader->open_n > 0)
        give_up_oldest(reader, out);
    select_sender(reader, reader->sure_master, reader->sure_channel, out);
    syst_stp_packets_start(&reader->packets, header);
}

bool syst_stp_reader_is_lost(const struct syst_stp_reader *reader)
{
    return syst_stp_packets_are_lost(&reader->packets);
}

bool syst_stp_reader_is_too_long(const struct syst_stp_reader *reader)
{
    size_t size;
    if (!reader->current)
        return false;
    const struct syst_stp_open *open = &reader->open[reader->current - 1];
    return open->first &&
           syst_claim(reader->part[open->first - 1], open->n < SYST_STP_PART ? open->n : SYST_STP_PART,
                      &size) == SYST_CLAIM_STRONG &&
           open->n > size;
}
