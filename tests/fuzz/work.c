/* work.c - counts basic blocks. Programs without a budget are not compiled for that, and count none. */
#include "work.h"

#include <stdio.h>
#include <stdlib.h>

enum { SHORT = 256 }; /* bytes; the base cost of an input is spread over as many */

static unsigned long work;
static double dearest; /* blocks a byte */

void __sanitizer_cov_trace_pc(void);
#ifndef __clang__
__attribute__((no_sanitize_coverage)) /* if this file is also compiled for counting */
#endif
void __sanitizer_cov_trace_pc(void)
{
    work++;
}

void work_begin(void)
{
    work = 0;
}

double work_end(size_t n)
{
    double each = (double)work / (double)(n + SHORT);
    dearest = each > dearest ? each : dearest;
#ifdef WORK_BUDGET
    if (each > WORK_BUDGET) {
        fprintf(stderr, "%zu bytes cost %.0f blocks each, and may cost %d\n", n, each, WORK_BUDGET);
        abort();
    }
#endif
    return each;
}

void work_print(void)
{
    if (dearest > 0)
        printf("a byte costs %.1f basic blocks at most\n", dearest);
}
