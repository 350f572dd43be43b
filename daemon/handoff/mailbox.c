/* mailbox.c - passes orders to the ingest thread, and its answers back. */
#include "handoff/mailbox.h"

#include <pthread.h>
#include <stdlib.h>

enum { MAILBOX_ROOM = 64 };

struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t answered;
    const struct wake *wake;
    struct order *first, **last; /* orders not yet taken */
    unsigned waiting;
    bool is_closed;
};

struct order order_to_set(const struct snapshot_setting *setting, uint32_t value)
{
    struct order order = {
        .kind = ORDER_COMMAND, .command = COMMAND_CONFIG, .payload = {setting->key}, .payload_n = 5};
    for (unsigned i = 0; i < 4; i++)
        order.payload[1 + i] = (uint8_t)(value >> 8 * i);
    return order;
}

struct mailbox *mailbox_new(const struct wake *wake)
{
    struct mailbox *mailbox = calloc(1, sizeof *mailbox);
    if (!mailbox)
        return NULL;
    pthread_mutex_init(&mailbox->lock, NULL);
    pthread_cond_init(&mailbox->answered, NULL);
    mailbox->wake = wake;
    mailbox->last = &mailbox->first;
    return mailbox;
}

void mailbox_free(struct mailbox *mailbox)
{
    if (!mailbox)
        return;
    pthread_cond_destroy(&mailbox->answered);
    pthread_mutex_destroy(&mailbox->lock);
    free(mailbox);
}

enum order_result mailbox_ask(struct mailbox *mailbox, struct order *order)
{
    pthread_mutex_lock(&mailbox->lock);
    if (mailbox->is_closed || mailbox->waiting >= MAILBOX_ROOM) {
        enum order_result refused = mailbox->is_closed ? ORDER_CLOSED : ORDER_BUSY;
        pthread_mutex_unlock(&mailbox->lock);
        return refused;
    }
    order->answered = false;
    order->next = NULL;
    *mailbox->last = order;
    mailbox->last = &order->next;
    mailbox->waiting++;
    wake_ring(mailbox->wake);
    while (!order->answered)
        pthread_cond_wait(&mailbox->answered, &mailbox->lock);
    enum order_result result = order->result;
    pthread_mutex_unlock(&mailbox->lock);
    return result;
}

static struct order *unlink_first(struct mailbox *mailbox)
{
    struct order *order = mailbox->first;
    if (order) {
        mailbox->first = order->next;
        if (!mailbox->first)
            mailbox->last = &mailbox->first;
    }
    return order;
}

struct order *mailbox_take(struct mailbox *mailbox)
{
    pthread_mutex_lock(&mailbox->lock);
    struct order *order = unlink_first(mailbox);
    pthread_mutex_unlock(&mailbox->lock);
    return order;
}

static void answer_locked(struct mailbox *mailbox, struct order *order, enum order_result result)
{
    order->result = result;
    order->answered = true;
    mailbox->waiting--;
    pthread_cond_broadcast(&mailbox->answered);
}

void mailbox_answer(struct mailbox *mailbox, struct order *order, enum order_result result)
{
    pthread_mutex_lock(&mailbox->lock);
    answer_locked(mailbox, order, result);
    pthread_mutex_unlock(&mailbox->lock);
}

void mailbox_close(struct mailbox *mailbox)
{
    pthread_mutex_lock(&mailbox->lock);
    mailbox->is_closed = true;
    for (struct order *order; (order = unlink_first(mailbox));)
        answer_locked(mailbox, order, ORDER_CLOSED);
    pthread_mutex_unlock(&mailbox->lock);
}
