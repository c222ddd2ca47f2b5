/* Declarations shared by the parts of extension-launcher; see main.c. */
#ifndef SCREENTIME_EXTENSION_LAUNCHER_H
#define SCREENTIME_EXTENSION_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

/* A path the program may use, for Landlock. Pinned: readable, and kept open for the program. */
enum use { USE_READ, USE_PINNED, USE_WRITE, USE_EXECUTE };
struct allowed_path {
    enum use use;
    const char *path;
};

/* Lines of the report to the host: confinement in effect, and what could not be applied, with the reason. */
struct report {
    char text[1024];
    size_t length;
};

void report_add(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Restricts this process to the paths, and forbids TCP, abstract sockets and signals to other processes where the
   kernel supports that; adds a line to the report. */
void apply_landlock(const struct allowed_path *paths, size_t count, struct report *report);

/* Forbids new sockets, new processes and calls that inspect or change the machine; adds a line to the report.
   locks: whether the program may lock files. */
void apply_seccomp(bool locks, struct report *report);

/* The loader that an ELF program names, in a static buffer; NULL if it names none. */
const char *program_loader(const char *program);

#endif
