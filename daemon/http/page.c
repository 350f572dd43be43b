/* page.c - the routes of the page and its files. */
#include "http/routes.h"
#include "http/site.h"

static void answer_page(struct site *site, const struct request *request, struct response *response)
{
    files_answer(&site->files, request, response);
}

const struct route routes_page[] = {
    {.method = "GET",
     .path = "/",
     .answer = answer_page,
     .id = "page",
     .summary = "The page that shows the profile live.",
     .media_type = "text/html"},
    {0},
};

const struct route route_of_files = {.method = "GET", .path = "/{path}", .answer = answer_page, .id = "file"};
