/* libscreentime-program.so, preloaded (LD_PRELOAD) into every extension program: what of the C library a confined
 * program needs otherwise than the machine has it. It takes part in no protection: what is refused is refused by the
 * kernel, whoever asks. */
#ifndef SCREENTIME_PROGRAM_H
#define SCREENTIME_PROGRAM_H

#define SHOWN __attribute__((visibility("default")))

#endif
