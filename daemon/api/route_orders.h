/* route_orders.h - posts an order and answers with its outcome. */
#ifndef API_ROUTE_ORDERS_H
#define API_ROUTE_ORDERS_H

#include "handoff/mailbox.h"
#include "server/request.h"
#include "server/response.h"
#include "api/site.h"

/* Fills in the order from the request's body. False with an error when the body is invalid. */
typedef bool (*order_parse_fn)(const struct request *request, struct order *order, struct error *err);

/* Calls order_answer() with the order that `parse` has filled in. Answers 400 for a query or an invalid body. */
void order_parse_and_answer(struct site *site, const struct request *request, order_parse_fn parse,
                            struct order *order, struct response *response);

/* Posts the order, waits for its outcome, and answers with JSON of the new state, or a problem. */
void order_answer(struct site *site, struct order *order, struct response *response);

#endif
