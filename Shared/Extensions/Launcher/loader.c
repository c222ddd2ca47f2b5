#include "launcher.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Reads PT_INTERP of a 64-bit program: the one other file that starting it executes. */
const char *program_loader(const char *program) {
    static char path[PATH_MAX];
    const char *found = NULL;
    int descriptor = open(program, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return NULL;
    Elf64_Ehdr header;
    if (pread(descriptor, &header, sizeof header, 0) == sizeof header
        && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_phentsize == sizeof(Elf64_Phdr)) {
        for (unsigned index = 0; index < header.e_phnum && !found; index++) {
            Elf64_Phdr part;
            off_t offset = (off_t)(header.e_phoff + index * sizeof part);
            if (pread(descriptor, &part, sizeof part, offset) != sizeof part) break;
            if (part.p_type != PT_INTERP || part.p_filesz == 0 || part.p_filesz > sizeof path) continue;
            if (pread(descriptor, path, part.p_filesz, (off_t)part.p_offset) != (ssize_t)part.p_filesz) break;
            path[part.p_filesz - 1] = '\0';
            found = path;
        }
    }
    close(descriptor);
    return found;
}
