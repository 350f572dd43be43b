/* route_orders.h - an order given, and its outcome answered. */
#ifndef API_ROUTE_ORDERS_H
#define API_ROUTE_ORDERS_H

#include "handoff/mailbox.h"
#include "server/request.h"
#include "server/response.h"
#include "api/site.h"

/* Fills in what the request's body says of the order. False with a sentence when it does not make sense. */
typedef bool (*order_parse_fn)(const struct request *request, struct order *order, struct error *err);

/* Does what order_answer() does with the order as `parse` has filled it in, for a request without a query;
 * answers 400 when it cannot be. */
void order_parse_and_answer(struct site *site, const struct request *request, order_parse_fn parse,
                            struct order *order, struct response *response);

/* Gives the order, waits for its outcome and answers with that: JSON of how things are then, or a problem. */
void order_answer(struct site *site, struct order *order, struct response *response);

#endif
