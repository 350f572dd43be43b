/* rights.h - the rights that the daemon needs, and keeps when it is confined. */
#ifndef PROCESS_RIGHTS_H
#define PROCESS_RIGHTS_H

#include <stddef.h>
#include <sys/types.h>

enum { CONFINEMENT_PLACES_MOST = 40, CONFINEMENT_ANNEX_MOST = 2, CONFINEMENT_ELFS_MOST = 8 };

/* Whom the source connects to. */
enum confinement_peer {
    CONFINEMENT_NOBODY,
    CONFINEMENT_UNIX_SOCKET,
    CONFINEMENT_ADDRESS, /* of TCP */
    CONFINEMENT_NAME,    /* whose address is asked of name servers */
};

/* What the daemon needs. All texts are borrowed. */
struct confinement {
    const char *places[CONFINEMENT_PLACES_MOST]; /* to write to: folders, and files with their folder */
    size_t n;
    const char *device;                      /* terminal that is opened, again and again; NULL: none */
    const char *capture;                     /* file that is read once; NULL: none */
    const char *elfs[CONFINEMENT_ELFS_MOST]; /* files that are read again and again */
    size_t elf_n;
    const char *socket; /* path where a socket is made to listen at; NULL: none */
    int listen_port;    /* of TCP, 0 for any; -1: none */
    enum confinement_peer peer;
    unsigned peer_port;                  /* of TCP */
    pid_t annex[CONFINEMENT_ANNEX_MOST]; /* processes that may be killed */
    size_t annex_n;
};

#endif
