/* download.c - sends an export to a client.
 *
 * Exporters push bytes, but the web server pulls them when its client accepts some. So each download has a
 * thread, which writes into a pipe and waits while it is full. When the client is gone, the other end is closed
 * and the next write fails. */
#include "api/download.h"

#include "base/scarcity.h"
#include "base/zip.h"
#include "server/gzip.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { STACK_BYTES = 512 << 10 };

struct download {
    struct stream stream;
    const struct exporter *exporter;
    struct snapshot *snapshot; /* owned by the writer */
    int from;                  /* the end of the pipe that the server reads */
    pthread_t writer;
    atomic_bool broken;
    struct sink *packed; /* into `pipe`; NULL: not compressed */
    struct sink_fd pipe;
};

static void *write_export(void *user)
{
    struct download *download = user;
    /* With SIGPIPE blocked, as in the server's threads, write() fails when the client is gone. */
    sigset_t broken_pipe;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, NULL);

    struct sink *sink = download->packed ? download->packed : &download->pipe.sink;
    uint64_t before = scarcity_here();
    download->exporter->write(download->snapshot, sink);
    sink->failed |= scarcity_here() != before;
    snapshot_unref(download->snapshot);
    if (download->packed)
        zip_sink_end(download->packed);
    atomic_store(&download->broken, !sink_fd_flush(&download->pipe));
    close(download->pipe.fd);
    return NULL;
}

static ssize_t download_read(struct stream *stream, char *to, size_t room)
{
    struct download *download = (struct download *)stream;
    ssize_t n = read(download->from, to, room); /* no EINTR: the server's threads block all signals */
    return n == 0 && atomic_load(&download->broken) ? -1 : n;
}

static void download_close(struct stream *stream)
{
    struct download *download = (struct download *)stream;
    close(download->from);
    pthread_join(download->writer, NULL);
    free(download);
}

static bool start_writer(struct download *download)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes); /* never fails on Linux */
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int error = pthread_create(&download->writer, &attributes, write_export, download);
    pthread_attr_destroy(&attributes);
    return error == 0;
}

/* Takes ownership of the snapshot if successful. */
static struct download *download_open(const struct exporter *exporter, struct snapshot *snapshot, bool packed)
{
    struct download *download = malloc(sizeof *download);
    if (!download)
        return NULL;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        goto no_pipe;
    download->stream = (struct stream){.read = download_read, .close = download_close};
    download->exporter = exporter;
    download->snapshot = snapshot;
    download->from = ends[0];
    atomic_init(&download->broken, false);
    sink_fd_init(&download->pipe, ends[1]);
    download->packed = packed ? zip_sink_new(&download->pipe.sink) : NULL;
    if (packed && !download->packed)
        goto no_sink;
    if (start_writer(download))
        return download;

    if (packed)
        zip_sink_end(download->packed);
no_sink:
    close(ends[0]);
    close(ends[1]);
no_pipe:
    free(download);
    return NULL;
}

void download_start(const struct exporter *exporter, struct snapshot *snapshot, const struct request *request,
                    struct response *response)
{
    response->media_type = exporter->media_type;
    bool packed = gzip_wanted(response, request->accept_encoding);
    struct download *download = download_open(exporter, snapshot, packed);
    if (!download) {
        snapshot_unref(snapshot);
        response_problem(
            response, 503,
            "The system has no memory, pipe or thread left for this answer: ask again in a moment.");
        response_header(response, "Retry-After", "1");
        return;
    }
    if (packed)
        response_header(response, "Content-Encoding", "gzip");
    response->stream = &download->stream;
}
