/* needs.c - finds the rights that the daemon needs for its options. */
#include "cli/needs.h"

#include "source/source.h"

#include <arpa/inet.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void add_needed_place(struct confinement *needs, const char *path)
{
    if (path && strcmp(path, "-") != 0)
        needs->places[needs->n++] = path;
}

/* True when the host needs no name server. */
static bool is_address(const char *host)
{
    unsigned char address[16];
    return inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1 ||
           strcmp(host, "localhost") == 0;
}

/* Reads HOST:PORT or [HOST]:PORT. Other forms are refused when the source is made. */
static void needs_of_server(const char *server, struct confinement *needs)
{
    char host[256] = "";
    const char *colon = strrchr(server, ':');
    size_t bracket = *server == '[', n = colon ? (size_t)(colon - server) : 0;
    if (n >= 2 * bracket + 1 && n < sizeof host)
        memcpy(host, server + bracket, n - 2 * bracket);
    needs->peer = is_address(host) ? CONFINEMENT_ADDRESS : CONFINEMENT_NAME;
    needs->peer_port = colon ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
}

static void needs_of_source(const char *spec, struct confinement *needs)
{
    static char port[SOURCE_PORT_PATH_SIZE];
    const char *rest;
    switch (source_kind_of(spec, &rest)) {
    case SOURCE_KIND_FILE: needs->capture = rest; break;
    case SOURCE_KIND_PORT: needs->device = source_port_path(rest, port) ? port : NULL; break;
    case SOURCE_KIND_TCP:
    case SOURCE_KIND_RFC2217: needs_of_server(rest, needs); break;
    case SOURCE_KIND_UNIX: needs->peer = CONFINEMENT_UNIX_SOCKET; break;
    case SOURCE_KIND_INPUT:
    case SOURCE_KIND_UNKNOWN: break;
    }
}

static void needs_of_server_of_ours(const char *listen, struct confinement *needs)
{
    const char *colon = strrchr(listen, ':');
    if (strncmp(listen, "unix:", 5) == 0)
        needs->socket = listen + 5;
    else
        needs->listen_port = colon ? (int)(strtoul(colon + 1, NULL, 10) & 0xffff) : 0;
}

void needs_of(const struct options *options, const char *token, struct confinement *needs)
{
    static char announced[PATH_MAX];
    *needs = (struct confinement){.listen_port = -1};
    _Static_assert((int)ELF_LIST_MOST == (int)CONFINEMENT_ELFS_MOST, "each of them has room");
    for (size_t i = 0; i < options->elfs.n; i++)
        needs->elfs[needs->elf_n++] = options->elfs.all[i].path;
    needs_of_source(options->port, needs);
    if (options->http)
        needs_of_server_of_ours(options->listen, needs);
    add_needed_place(needs, *token ? token : NULL);
    add_needed_place(needs, options->record_dir ? options->record_dir : ".");
    add_needed_place(needs, options->keep_dir);
    add_needed_place(needs, options->record);
    add_needed_place(needs, options->announce);
    if (options->announce && realpath(options->announce, announced)) /* where the link leads */
        add_needed_place(needs, announced);
    for (size_t i = 0; i < options->exports_n; i++)
        add_needed_place(needs, options->exports[i].path);
    _Static_assert(6 + OPTIONS_EXPORTS_MAX <= CONFINEMENT_PLACES_MOST, "each of them has room");
}
