/* tree.h - shared by writer and reader of the call tree: its packet's head and its records (SPEC.md section
 * 12). */
#ifndef PROTOCOL_TREE_H
#define PROTOCOL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/compact.h" /* contexts */

enum {
    MP_TREE_HEAD_MAX = 55,
    MP_TREE_RECORD_MAX = 64,
    MP_TREE_NAME_MAX = 24,
    MP_TREE_NODES_MOST = 65536, /* in any packet */
};

#define MP_TREE_NUMBERS   0x0FFFFFFFu /* of packets, modulo this + 1 */
#define MP_TREE_NO_PARENT UINT32_MAX

/* The most calls or ticks of a sum: two years of ticks of 1 ns. Sums of nodes can be added up without
 * overflow. */
#define MP_TREE_SUM_MOST ((UINT64_C(1) << 56) - 1)

/* The context of interrupts for which there was no room. */
#define MP_TREE_NO_CONTEXT 1023u

/* The first byte of a record. */
enum mp_tree_token {
    MP_TREE_ROW = 0x00, /* + the step of the node's number, up to 0x7F */
    MP_TREE_NUMBER = 0xC0,
    MP_TREE_CONTEXT = 0xC4,
    MP_TREE_SUMS = 0xC8,
    MP_TREE_NAME = 0xC9,
    MP_TREE_RUNS = 0xCA,
    MP_TREE_CHAINS = 0xCB,
    MP_TREE_EVICTED = 0xCC,
    MP_TREE_BELOW = 0xCD,
    MP_TREE_ROUND = 0xCE,
    MP_TREE_PADDING = 0xFF,
};

enum mp_tree_flags {
    MP_TREE_IS_FLAT = 1,
    MP_TREE_HAS_LONGEST = 2,
    MP_TREE_IS_STOPPED = 4,
    MP_TREE_IS_CLOSING = 8, /* with this packet the round ends that sends all sums of a stopped run */
    MP_TREE_FLAGS = 15,
    MP_TREE_EVICTS = 64, /* nodes are evicted for others (section 12.9); not in the flat form */
};

/* START's second byte of payload. */
enum mp_tree_wish {
    MP_TREE_WANT_FLAT = 1,
    MP_TREE_WANT_CHAINS = 4,   /* the host reads MP_TREE_CHAINS */
    MP_TREE_WANT_EVICTION = 8, /* the host reads packets with MP_TREE_EVICTS */
};

struct mp_tree_head {
    uint8_t flags;    /* enum mp_tree_flags */
    uint8_t run;      /* number of the start of profiling, modulo 16 */
    uint32_t number;  /* of this packet in the run, modulo 2^28 */
    uint32_t time;    /* ticks modulo 2^32 when the packet was begun */
    uint64_t elapsed; /* ticks from START until then, or until STOP */
    uint32_t hz;      /* ticks per second */
    uint32_t nodes;   /* number of nodes in use */
    uint32_t room;    /* number of nodes that have room */
    /* With MP_TREE_EVICTS, else 0. */
    uint64_t bound;     /* error bound: the most own ticks that any one chain can have lost */
    uint64_t evictions; /* nodes evicted so far */
};

/* Sums of one node, or in a flat packet of one function as called by another. */
struct mp_tree_row {
    uint32_t node;     /* its number, below mp_tree_head.nodes */
    uint32_t parent;   /* a lower number, or MP_TREE_NO_PARENT: outermost; always that in a flat packet */
    uint32_t caller;   /* in a flat packet: the caller's function, 0: outermost; else 0 */
    uint32_t function; /* its address, without the Thumb bit */
    uint32_t context;  /* MP_CONTEXT_TASK(), MP_CONTEXT_INTERRUPT() */
    uint64_t calls;    /* entries since START */
    uint64_t ticks;    /* in the function itself since START */
    uint64_t longest;  /* ticks of the longest call that has ended; 0 without MP_TREE_HAS_LONGEST */
    /* With MP_TREE_EVICTS, else 0: which node with this number it is, modulo 2^16, and the same of its
     * parent. */
    uint32_t generation;
    uint32_t parent_generation;
};

/* Sums of a function's nodes that were evicted. */
struct mp_tree_evicted {
    uint32_t function; /* 0: of functions that have no separate sums */
    uint64_t calls, ticks, longest;
};

/* Sums of evicted nodes below a node, directly or not. */
struct mp_tree_below {
    uint32_t node; /* its number, or MP_TREE_NO_PARENT: outermost calls of the context */
    uint32_t generation;
    uint64_t ticks;
};

/* The end of a round. */
struct mp_tree_round {
    uint32_t first; /* number of the packet in which it began */
    uint32_t whole; /* rounds, including this one, in which each sum was sent at least once; 1 to 255 */
};

enum { MP_TREE_GENERATIONS = 0xFFFF, MP_TREE_ROUNDS_MOST = 255 };

/* Sums of one context. */
struct mp_tree_sums {
    uint64_t begun;       /* how often the interrupt began, or the task was switched to */
    uint64_t ticks;       /* in no instrumented function */
    uint64_t other_calls; /* calls without room for a node, and all that they called */
    uint64_t other_ticks;
};

/* The number of chains of callers, with and without a node: each sets a bit chosen by its hash. */
struct mp_tree_chains {
    uint32_t bits; /* 0: not sent */
    uint32_t empty;
    uint32_t node_bytes; /* memory of the target for one more node in a larger tree; 0: unknown */
};

enum { MP_TREE_CHAIN_BITS_MOST = 1 << 20, MP_TREE_NODE_BYTES_MOST = 1000 };

#endif
