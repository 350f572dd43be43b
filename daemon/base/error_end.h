/* error_end.h - the sentence with which the program ends. */
#ifndef BASE_ERROR_END_H
#define BASE_ERROR_END_H

/* Prints the sentence to standard error; answers `status`, which it is to end with. Names in
 * the sentence may be the device's or a file's: they are made plain (base/text.h). */
int error_end(int status, const char *sentence);

#endif
