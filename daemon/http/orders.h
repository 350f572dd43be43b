/* orders.h - an order given, and its outcome answered. */
#ifndef HTTP_ORDERS_H
#define HTTP_ORDERS_H

#include "exchange/mailbox.h"
#include "http/response.h"
#include "http/site.h"

/* Gives the order, waits for its outcome and answers with that: JSON of how things are then, or a problem. */
void order_answer(struct site *site, struct order *order, struct response *response);

#endif
