/* Foundation on this platform keeps what a program writes to UserDefaults.standard in memory until the program
 * asks it to be saved; programs written for iOS never ask. Swift has no code that runs before main, C has. */
#include <stdlib.h>

/* Defined in FoundationExtras. */
extern void screentime_save_defaults(void);

__attribute__((constructor)) static void save_defaults_at_exit(void) { atexit(screentime_save_defaults); }
