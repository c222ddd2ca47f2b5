/* libscreentime-program.so, preloaded (LD_PRELOAD) into every extension program: functions of the C library that a
 * confined program needs in another version. It is not part of the protection: the kernel refuses what is not allowed,
 * with or without this library. */
#ifndef SCREENTIME_PROGRAM_H
#define SCREENTIME_PROGRAM_H

#define SHOWN __attribute__((visibility("default")))

#endif
