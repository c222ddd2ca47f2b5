#include <errno.h>
#include <fcntl.h>

/* Takes the places of those that are closed, so that no socket, store or log gets the number 0, 1 or 2 and hears what
 * is meant for a terminal. Each is open the wrong way round: as before, it cannot be read or written. */
__attribute__((constructor)) static void open_standard_files(void) {
    static const int flags[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int number = 0; number < 3; number++)
        if (fcntl(number, F_GETFD) < 0 && errno == EBADF) open("/dev/null", flags[number]);
}
