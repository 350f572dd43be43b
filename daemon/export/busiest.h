/* busiest.h - sorts functions, the busiest first. */
#ifndef EXPORT_BUSIEST_H
#define EXPORT_BUSIEST_H

/* Compares pointers to functions of one snapshot for qsort(): by self time, then by samples, then by their
 * order in the snapshot. */
int busiest_first(const void *a, const void *b);

#endif
