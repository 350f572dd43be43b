/* sink.c - outputs for bytes: memory and file descriptors. */
#include "base/sink.h"

#include "base/digits.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void sink_write(struct sink *sink, const void *bytes, size_t n)
{
    if (sink->failed || n == 0)
        return;
    if (sink->write(sink, bytes, n))
        sink->written += n;
    else
        sink->failed = true;
}

void sink_text(struct sink *sink, const char *text)
{
    sink_write(sink, text, strlen(text));
}

void sink_char(struct sink *sink, char c)
{
    sink_write(sink, &c, 1);
}

void sink_u64(struct sink *sink, uint64_t value)
{
    char digits[DIGITS_MOST];
    sink_write(sink, digits, (size_t)(digits_write(digits, value) - digits));
}

void sink_printf(struct sink *sink, const char *format, ...)
{
    char small[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    if (n < 0) {
        sink->failed = true;
    } else if ((size_t)n < sizeof small) {
        sink_write(sink, small, (size_t)n);
    } else {
        char *large = malloc((size_t)n + 1);
        if (!large) {
            sink->failed = true;
            return;
        }
        va_start(args, format);
        vsnprintf(large, (size_t)n + 1, format, args);
        va_end(args);
        sink_write(sink, large, (size_t)n);
        free(large);
    }
}

static bool buffer_write(struct sink *sink, const void *bytes, size_t n)
{
    struct sink_buffer *buffer = (struct sink_buffer *)sink;
    if (buffer->limit && n > buffer->limit - buffer->n)
        return false;
    if (buffer->capacity - buffer->n < n + 1) {
        size_t capacity = buffer->capacity ? buffer->capacity : 256;
        while (capacity - buffer->n < n + 1)
            capacity *= 2;
        char *grown = realloc(buffer->bytes, capacity);
        if (!grown)
            return false;
        buffer->bytes = grown;
        buffer->capacity = capacity;
    }
    memcpy(buffer->bytes + buffer->n, bytes, n);
    buffer->n += n;
    buffer->bytes[buffer->n] = '\0';
    return true;
}

void sink_buffer_init(struct sink_buffer *buffer)
{
    *buffer = (struct sink_buffer){.sink.write = buffer_write};
}

void sink_buffer_fini(struct sink_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (struct sink_buffer){0};
}

void sink_buffer_clear(struct sink_buffer *buffer)
{
    buffer->n = 0;
    buffer->sink.written = 0;
    buffer->sink.failed = false;
}

static bool write_all(struct sink_fd *file, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(file->fd, bytes, n);
        if (done < 0) {
            if (errno == EINTR)
                continue;
            file->error_number = errno;
            return false;
        }
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

static bool fd_write(struct sink *sink, const void *bytes, size_t n)
{
    struct sink_fd *file = (struct sink_fd *)sink;
    if (n > sizeof file->buffer - file->n) {
        if (!write_all(file, file->buffer, file->n))
            return false;
        file->n = 0;
        if (n >= sizeof file->buffer)
            return write_all(file, bytes, n);
    }
    memcpy(file->buffer + file->n, bytes, n);
    file->n += n;
    return true;
}

void sink_fd_init(struct sink_fd *file, int fd)
{
    file->sink = (struct sink){.write = fd_write};
    file->fd = fd;
    file->error_number = 0;
    file->n = 0;
}

bool sink_fd_flush(struct sink_fd *file)
{
    if (!file->sink.failed && !write_all(file, file->buffer, file->n))
        file->sink.failed = true;
    file->n = 0;
    return !file->sink.failed;
}
