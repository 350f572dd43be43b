/* busiest.h - the order in which functions are worth telling of. */
#ifndef EXPORT_BUSIEST_H
#define EXPORT_BUSIEST_H

/* For qsort() over pointers to functions of one snapshot: most time of its own first, then most samples, then
 * as the snapshot has them. */
int busiest_first(const void *a, const void *b);

#endif
