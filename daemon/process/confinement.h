/* confinement.h - the rights that the daemon gives up before it reads untrusted bytes, so that a mistake in
 * code that reads them is worth little to an attacker.
 *
 * It may read what its user may, but no devices; write below the folders that were named; open its own port;
 * accept connections, and make those that its source needs. All else is refused: by a list of allowed system
 * calls (seccomp), and by Landlock, as far as the kernel has them. */
#ifndef PROCESS_CONFINEMENT_H
#define PROCESS_CONFINEMENT_H

#include <stddef.h>
#include <stdint.h>
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

/* Gives up rights to files, devices, ports and other processes. Processes that are made afterwards are
 * confined as well, and may be signalled. To be called first, before any other thread runs. */
void confinement_restrict_rights(const struct confinement *confinement);

/* Gives up an administrator's rights but those in `kept`, a bit for each capability by its number (CAP_...,
 * below 32). Those that the process does not have it does not get. */
void confinement_keep_capabilities(uint32_t kept);

/* Leaves a list of system calls only; no process can be started any more. */
void confinement_restrict_calls(const struct confinement *confinement);

/* What is in force, as part of a sentence: "seccomp, Landlock 7". Constant once both were called. */
const char *confinement_in_force(void);

#endif
