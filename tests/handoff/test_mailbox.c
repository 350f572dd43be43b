/* test_mailbox.c - orders reach the ingest thread, and every asker gets an answer. */
#include "handoff/mailbox.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

enum { MOST_WAITING = 64 }; /* the mailbox's capacity */

struct asker {
    struct mailbox *mailbox;
    struct order order;
    enum order_result result;
    pthread_t thread;
};

static void *ask(void *user)
{
    struct asker *asker = user;
    asker->result = mailbox_ask(asker->mailbox, &asker->order);
    return NULL;
}

static void asker_start(struct asker *asker, struct mailbox *mailbox, uint8_t number)
{
    *asker = (struct asker){.mailbox = mailbox, .order = {.kind = ORDER_COMMAND, .command = number}};
    cr_assert_eq(pthread_create(&asker->thread, NULL, ask, asker), 0);
}

/* Waits for the bell as the ingest thread does, and takes the next order. */
static struct order *take_next(struct mailbox *mailbox, const struct wake *wake)
{
    for (;;) {
        struct order *order = mailbox_take(mailbox);
        if (order)
            return order;
        struct pollfd bell = {.fd = wake->fd, .events = POLLIN};
        cr_assert_eq(poll(&bell, 1, 120000), 1, "an order rings the bell");
        wake_clear(wake);
    }
}

Test(mailbox, an_order_gets_its_answer)
{
    struct wake wake;
    cr_assert(wake_init(&wake, NULL));
    struct mailbox *mailbox = mailbox_new(&wake);
    cr_expect_null(mailbox_take(mailbox), "nothing was asked yet");
    struct asker asker;
    asker_start(&asker, mailbox, 7);
    struct order *order = take_next(mailbox, &wake);
    cr_expect_eq(order->command, 7);
    cr_expect_null(mailbox_take(mailbox), "an order is taken once");
    order->recording.bytes = 3;
    mailbox_answer(mailbox, order, ORDER_REFUSED);
    pthread_join(asker.thread, NULL);
    cr_expect_eq(asker.result, ORDER_REFUSED);
    cr_expect_eq(asker.order.recording.bytes, 3);
    mailbox_close(mailbox);
    mailbox_free(mailbox);
    wake_fini(&wake);
}

Test(mailbox, each_of_many_askers_gets_its_own_answer)
{
    struct wake wake;
    cr_assert(wake_init(&wake, NULL));
    struct mailbox *mailbox = mailbox_new(&wake);
    struct asker askers[MOST_WAITING];
    for (uint8_t i = 0; i < MOST_WAITING; i++)
        asker_start(&askers[i], mailbox, i);
    /* Take all orders before answering the first one; answer them in reverse. */
    struct order *taken[MOST_WAITING];
    for (int i = 0; i < MOST_WAITING; i++)
        taken[i] = take_next(mailbox, &wake);
    struct order late = {.kind = ORDER_CLEAR};
    cr_expect_eq(mailbox_ask(mailbox, &late), ORDER_BUSY, "one more than there is room for");
    for (int i = MOST_WAITING; i-- > 0;) {
        taken[i]->recording.bytes = taken[i]->command + 1000;
        mailbox_answer(mailbox, taken[i], taken[i]->command % 2 ? ORDER_DONE : ORDER_SILENT);
    }
    for (uint32_t i = 0; i < MOST_WAITING; i++) {
        pthread_join(askers[i].thread, NULL);
        cr_expect_eq(askers[i].result, i % 2 ? ORDER_DONE : ORDER_SILENT);
        cr_expect_eq(askers[i].order.recording.bytes, i + 1000);
    }
    mailbox_close(mailbox);
    mailbox_free(mailbox);
    wake_fini(&wake);
}

Test(mailbox, closing_answers_waiting_and_later_orders)
{
    struct wake wake;
    cr_assert(wake_init(&wake, NULL));
    struct mailbox *mailbox = mailbox_new(&wake);
    struct asker in_hand, waiting;
    asker_start(&in_hand, mailbox, 1);
    struct order *order = take_next(mailbox, &wake);
    asker_start(&waiting, mailbox, 2);
    struct pollfd bell = {.fd = wake.fd, .events = POLLIN};
    cr_assert_eq(poll(&bell, 1, 120000), 1);
    mailbox_close(mailbox);
    pthread_join(waiting.thread, NULL);
    cr_expect_eq(waiting.result, ORDER_CLOSED);
    struct order late = {.kind = ORDER_CLEAR};
    cr_expect_eq(mailbox_ask(mailbox, &late), ORDER_CLOSED);
    cr_expect_null(mailbox_take(mailbox));
    mailbox_answer(mailbox, order, ORDER_DONE);
    pthread_join(in_hand.thread, NULL);
    cr_expect_eq(in_hand.result, ORDER_DONE, "an order in hand is still answered by the thread that took it");
    mailbox_free(mailbox);
    wake_fini(&wake);
}
