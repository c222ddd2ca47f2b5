// Records what this process writes below one directory, by defining the system calls' functions before libc's.
// One recording at a time; other directories are passed through.
#ifndef DISK_RECORDER_H
#define DISK_RECORDER_H
#include <stddef.h>
#include <stdint.h>

enum disk_operation_kind { DISK_WRITE, DISK_TRUNCATE, DISK_SYNC, DISK_UNLINK, DISK_RENAME };

struct disk_operation {
    int kind;
    // The file; of DISK_RENAME the old name.
    char path[256];
    // Of DISK_RENAME the new name.
    char target[256];
    // Where a write begins, or the new length.
    int64_t offset;
    size_t length;
    unsigned char *bytes;
};

// Forgets the last recording and begins one of all files whose path begins with prefix.
void disk_recorder_start(const char *prefix);
// Ends the recording; what it holds stays until the next one starts.
void disk_recorder_stop(void);
size_t disk_recorder_count(void);
const struct disk_operation *disk_recorder_operation(size_t index);
// Writes to files whose path ends so fail with this errno; 0 ends that.
void disk_recorder_fail(const char *suffix, int code);

#endif
