/* route_page.c - the routes of the page and its files. */
#include "api/routes.h"
#include "api/site.h"

#include <string.h>

static void answer_page(struct site *site, const struct request *request, struct response *response)
{
    files_answer(&site->files, request, response);
}

/* Redirects from an address with a password to one without, since a page at the former cannot make requests.
 * The browser keeps the password. */
static void answer_open(struct site *site, const struct request *request, struct response *response)
{
    /* all harmless in HTML */
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.:[]-_";
    if (request->host[strspn(request->host, letters)]) {
        response_problem(response, 400, "That is no name of a host.");
        return;
    }
    response->media_type = "text/html";
    response_header(response, "Cache-Control", "no-store");
    sink_printf(&response->body.sink,
                "<!doctype html><title>miniprofd</title>"
                "<meta http-equiv=\"refresh\" content=\"0; url=http://%s/\">",
                request->host);
}

const struct route routes_page[] = {
    {.method = "GET",
     .path = "/",
     .answer = answer_page,
     .id = "page",
     .summary = "The page that shows the profile live.",
     .media_type = "text/html"},
    {.method = "GET",
     .path = "/open",
     .answer = answer_open,
     .id = "open",
     .summary = "Leads on to the page: for a link with the token in it.",
     .media_type = "text/html",
     .errors = {400}},
    {0},
};

const struct route route_of_files = {.method = "GET", .path = "/{path}", .answer = answer_page, .id = "file"};
