/* fuzz_client.c - reads any bytes as an HTTP answer to `check`, `device`, `doctor`, `mcp` or `top`: the result must be
 * a body no longer than the input, or an error. */
#include "fuzz.h"

#include "client/client.h"
#include "client/teller.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct client client;
    struct error err = {""};
    if (!client.header)
        FUZZ_CHECK(client_init(&client, "--at", teller_start(), NULL, &err));
    teller_says(data, size);
    enum { MOST = 2000 };
    char *text = client_ask(&client, "GET", "/api/v1/status", NULL, MOST, &err);
    FUZZ_CHECK(!text == !!*err.text);
    if (text)
        FUZZ_CHECK(size <= MOST && strlen(text) < size);
    free(text);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    static const char chunked[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: "
                                  "chunked\r\n\r\n4\r\n{\"a\"\r\n3;x=y\r\n:1}\r\n0\r\n\r\n";
    stream_bytes(stream, chunked, sizeof chunked - 1);
}
