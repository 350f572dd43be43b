/* linux_calls.h - defines HAS_LINUX_CALLS: true when system calls that only Linux has may be used.
 *
 * `meson setup -Dlinux_calls=false` leaves them out on Linux, too, so that their replacements for other
 * systems are built and tested here. docs/install.md lists what such a program lacks. */
#ifndef BASE_LINUX_CALLS_H
#define BASE_LINUX_CALLS_H

#if defined __linux__ && !defined MINIPROFD_WITHOUT_LINUX_CALLS
#define HAS_LINUX_CALLS 1
#else
#define HAS_LINUX_CALLS 0
#endif

#endif
