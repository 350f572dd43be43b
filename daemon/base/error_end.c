/* error_end.c - the sentence with which the program ends. */
#include "base/error_end.h"

#include "base/log.h"
#include "base/sink.h"
#include "base/text.h"

#include <unistd.h>

int error_end(int status, const char *sentence)
{
    struct sink_fd out;
    char prefix[LOG_PREFIX_SIZE];
    log_write_prefix(prefix, LOG_ERROR);
    sink_fd_init(&out, STDERR_FILENO);
    sink_text(&out.sink, prefix);
    sink_text(&out.sink, "miniprofd: ");
    text_write_plain(&out.sink, sentence);
    sink_char(&out.sink, '\n');
    sink_fd_flush(&out); /* a failure here cannot be reported */
    return status;
}
