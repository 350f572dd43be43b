/* fake_agent.h - a stand-in for the agent, which logs the calls of a kernel's glue. */
#ifndef GLUE_FAKE_AGENT_H
#define GLUE_FAKE_AGENT_H

#include "mpt.h"
#include "mpt_port.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static char told[1000]; /* "switch 1; block; " */

static void tell(const char *what, int task, const char *name)
{
    size_t n = strlen(told);
    snprintf(told + n, sizeof told - n, "%s", what);
    n += strlen(what);
    if (task >= 0)
        n += (size_t)snprintf(told + n, sizeof told - n, " %d", task);
    if (name)
        n += (size_t)snprintf(told + n, sizeof told - n, " %s", name);
    snprintf(told + n, sizeof told - n, "; ");
}

void mpt_context_switch(uint8_t task)
{
    tell("switch", task, NULL);
}

void mpt_context_block(void)
{
    tell("block", -1, NULL);
}

void mpt_context_begin(uint8_t task)
{
    tell("begin", task, NULL);
}

void mpt_context_name(uint8_t task, const char *name)
{
    tell("name", task, name);
}

void mpt_context_idle(uint8_t task)
{
    tell("idle", task, NULL);
}

struct sim sim; /* of the port (sim/mpt_board.h) */

void sim_interrupt(void) {}

/* Compares the calls since the last time. */
static void expect_told(const char *expected)
{
    cr_expect_str_eq(told, expected);
    told[0] = '\0';
}

#endif
