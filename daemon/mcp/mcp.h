/* mcp.h - `miniprofd mcp`: a server of the Model Context Protocol on standard input and output, through which
 * an assistant asks the daemon that runs. */
#ifndef MCP_MCP_H
#define MCP_MCP_H

#include "arguments/arguments.h"

extern const struct arguments mcp_arguments;

/* Does what the command line says, until standard input ends; argv[0] is "mcp". Answers with the process's
 * exit status: 0 done; 1 failed; 2 wrong usage. */
int mcp_run(int argc, char *const *argv);

#endif
