/* observed.h - tells whether a sanitizer is built in. It starts a symbolizer at the end and reserves terabytes of
 * addresses, which limits and filters must allow. */
#ifndef PROCESS_OBSERVED_H
#define PROCESS_OBSERVED_H

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_OBSERVED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define IS_OBSERVED 1
#endif
#endif
#ifndef IS_OBSERVED
#define IS_OBSERVED 0
#endif

#endif
