/* mcp.h - `miniprofd mcp`: a server of the Model Context Protocol on standard input and output, which gives an
 * assistant access to a running daemon. */
#ifndef MCP_MCP_H
#define MCP_MCP_H

#include "arguments/arguments.h"

extern const struct arguments mcp_arguments;

/* Runs the command line until standard input ends; argv[0] is "mcp". Returns the exit status: 0 done, 1 failed, 2
 * wrong usage. */
int mcp_run(int argc, char *const *argv);

#endif
