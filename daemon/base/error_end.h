/* error_end.h - the sentence with which the program ends. */
#ifndef BASE_ERROR_END_H
#define BASE_ERROR_END_H

/* Prints the sentence on standard error and returns `status`, the exit status. Names in the sentence may come
 * from the device or a file, so they are made plain (base/text.h). */
int error_end(int status, const char *sentence);

#endif
