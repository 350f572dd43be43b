/* rights.h - the rights that the daemon needs and keeps when it is confined. */
#ifndef PROCESS_RIGHTS_H
#define PROCESS_RIGHTS_H

#include <stddef.h>
#include <sys/types.h>

enum { CONFINEMENT_PLACES_MOST = 40, CONFINEMENT_ANNEX_MOST = 2, CONFINEMENT_ELFS_MOST = 8 };

/* The kind of peer that the source connects to. */
enum confinement_peer {
    CONFINEMENT_NOBODY,
    CONFINEMENT_UNIX_SOCKET,
    CONFINEMENT_ADDRESS, /* numeric, TCP */
    CONFINEMENT_NAME,    /* to be looked up by name servers, TCP */
};

/* The rights needed. All texts are borrowed. */
struct confinement {
    const char *places[CONFINEMENT_PLACES_MOST]; /* to write to: folders, and files with their folder */
    size_t n;
    const char *device;                      /* terminal, opened repeatedly; NULL: none */
    const char *capture;                     /* file, read once; NULL: none */
    const char *elfs[CONFINEMENT_ELFS_MOST]; /* files, read repeatedly */
    size_t elf_n;
    const char *socket; /* path of a listening socket to create; NULL: none */
    int listen_port;    /* of TCP, 0 for any; -1: none */
    enum confinement_peer peer;
    unsigned peer_port;                  /* of TCP */
    pid_t annex[CONFINEMENT_ANNEX_MOST]; /* processes that may be killed */
    size_t annex_n;
};

#endif
