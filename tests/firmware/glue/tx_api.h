/* tx_api.h - a stand-in for ThreadX' header: the part that the glue uses, after its documentation. */
#ifndef TX_API_H
#define TX_API_H

#define VOID void
typedef char CHAR;
typedef unsigned char UCHAR;
typedef unsigned int UINT;
typedef unsigned long ULONG;

/* States of a thread. */
enum { TX_READY = 0, TX_COMPLETED = 1, TX_TERMINATED = 2, TX_SUSPENDED = 3, TX_SLEEP = 4 };

typedef struct TX_THREAD_STRUCT {
    ULONG tx_thread_run_count;
    CHAR *tx_thread_name;
    UINT tx_thread_state;
} TX_THREAD;

#endif
