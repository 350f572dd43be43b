/* test_framing.c - which pages may show ours in a frame, over the network. */
#include "own_server.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(framing, .init = open_server, .fini = close_server, .timeout = 300);

/* Every answer allows a named origin to frame the page, no other one, and nothing else. */
Test(framing, a_page_of_a_named_origin_may_frame_ours)
{
    static const char *const origins[] = {"https://grafana.example:3000", "vscode-webview:"};
    struct http_settings settings = fixture.settings;
    settings.frame_origins = origins;
    settings.frame_origin_n = 2;
    struct http *open = http_start(&settings, NULL);
    cr_assert(open);
    struct client client;
    for (int is_open = 0; is_open < 2; is_open++) {
        unsigned at = is_open ? client_port(http_address(open)) : port;
        cr_assert(client_open(&client, at));
        client_send(&client, "GET", "/", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: iframe\r\n", NULL);
        cr_assert(client_read_head(&client));
        const char *policy = client_header(&client, "Content-Security-Policy");
        cr_expect(policy && strstr(policy, is_open ? "; frame-ancestors 'self' https://grafana.example:3000 "
                                                     "vscode-webview:"
                                                   : "; frame-ancestors 'none'"));
        cr_expect(policy && strstr(policy, "default-src 'none'"));
        const char *options = client_header(&client, "X-Frame-Options");
        cr_expect(is_open ? !options : options && strcmp(options, "DENY") == 0);
        cr_expect_null(client_header(&client, "Access-Control-Allow-Origin"));
        client_close(&client);
        cr_expect_eq(client_ask(at, "GET", "/api/v1/snapshot", "Sec-Fetch-Site: cross-site\r\n", NULL, NULL),
                     403);
    }
    http_stop(open);
}

Test(framing, only_a_valid_origin_is_allowed_to_frame)
{
    static const char *const wrong[] = {"",
                                        "*",
                                        "https:",
                                        "http:",
                                        "data:",
                                        "https://",
                                        "https://*",
                                        "https://a/",
                                        "https://a b",
                                        "https://a;script-src *",
                                        "a.example",
                                        "https://a:",
                                        "https://a:b",
                                        "https://a\r\nX: y",
                                        "vscode-webview://a",
                                        "1:",
                                        "'self'"};
    static const char *const right[] = {"http://localhost", "https://a-b.example:8443", "vscode-file:"};
    struct http_settings settings = fixture.settings;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error err = {0};
        settings.frame_origins = &wrong[i];
        settings.frame_origin_n = 1;
        cr_expect_null(http_start(&settings, &err), "%s", wrong[i]);
        cr_expect(strstr(err.text, "--allow-frame takes an origin"), "%s", err.text);
    }
    settings.frame_origins = right;
    settings.frame_origin_n = 3;
    struct http *open = http_start(&settings, NULL);
    cr_assert(open);
    http_stop(open);
}
