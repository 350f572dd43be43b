/* linux_calls.h - whether system calls may be made that only Linux has.
 *
 * `meson setup -Dlinux_calls=false` leaves them out on Linux, too, so that what stands in for them elsewhere
 * is built and tested here. docs/install.md says what such a program lacks. */
#ifndef BASE_LINUX_CALLS_H
#define BASE_LINUX_CALLS_H

#if defined __linux__ && !defined MINIPROFD_WITHOUT_LINUX_CALLS
#define HAS_LINUX_CALLS 1
#else
#define HAS_LINUX_CALLS 0
#endif

#endif
