#define _GNU_SOURCE
#include "disk-recorder.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char recorded[256];
static char failing[64];
static int failing_code;
static struct disk_operation *operations;
static size_t count, room;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_recorded(const char *path) {
    size_t length = strlen(recorded);
    return length > 0 && strncmp(path, recorded, length) == 0;
}

static int fails(const char *path) {
    size_t length = strlen(failing), whole = strlen(path);
    return length > 0 && whole >= length && strcmp(path + whole - length, failing) == 0;
}

static void add(int kind, const char *path, const char *target, int64_t offset, const void *bytes, size_t length) {
    if (count == room) {
        room = room ? room * 2 : 1024;
        operations = realloc(operations, room * sizeof *operations);
        if (!operations) abort();
    }
    struct disk_operation *operation = &operations[count++];
    memset(operation, 0, sizeof *operation);
    operation->kind = kind;
    snprintf(operation->path, sizeof operation->path, "%s", path);
    if (target) snprintf(operation->target, sizeof operation->target, "%s", target);
    operation->offset = offset;
    operation->length = length;
    if (bytes && length) {
        operation->bytes = malloc(length);
        if (!operation->bytes) abort();
        memcpy(operation->bytes, bytes, length);
    }
}

// The path of a descriptor if it is recorded or made to fail; 0 otherwise.
static int watched(int descriptor, char *path, size_t size) {
    if (!recorded[0]) return 0;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, size - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_recorded(path);
}

static ssize_t write_at(int descriptor, const void *bytes, size_t length, int64_t offset) {
    char path[256];
    if (!watched(descriptor, path, sizeof path)) return REAL(pwrite64)(descriptor, bytes, length, offset);
    if (fails(path)) {
        errno = failing_code;
        return -1;
    }
    pthread_mutex_lock(&mutex);
    ssize_t written = REAL(pwrite64)(descriptor, bytes, length, offset);
    if (written > 0) add(DISK_WRITE, path, NULL, offset, bytes, (size_t)written);
    pthread_mutex_unlock(&mutex);
    return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
    return write_at(descriptor, bytes, length, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
    return write_at(descriptor, bytes, length, offset);
}

static int truncate_to(int descriptor, int64_t length) {
    char path[256];
    int result = REAL(ftruncate64)(descriptor, length);
    if (result == 0 && watched(descriptor, path, sizeof path)) {
        pthread_mutex_lock(&mutex);
        add(DISK_TRUNCATE, path, NULL, length, NULL, 0);
        pthread_mutex_unlock(&mutex);
    }
    return result;
}

int ftruncate(int descriptor, off_t length) { return truncate_to(descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { return truncate_to(descriptor, length); }

static int synced(int descriptor) {
    char path[256];
    if (watched(descriptor, path, sizeof path)) {
        pthread_mutex_lock(&mutex);
        add(DISK_SYNC, path, NULL, 0, NULL, 0);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

// What is recorded is what matters; the disk itself need not hurry.
int fsync(int descriptor) { return recorded[0] ? synced(descriptor) : REAL(fsync)(descriptor); }
int fdatasync(int descriptor) { return recorded[0] ? synced(descriptor) : REAL(fdatasync)(descriptor); }

int unlink(const char *path) {
    int result = REAL(unlink)(path);
    if (result == 0 && is_recorded(path)) {
        pthread_mutex_lock(&mutex);
        add(DISK_UNLINK, path, NULL, 0, NULL, 0);
        pthread_mutex_unlock(&mutex);
    }
    return result;
}

int rename(const char *path, const char *target) {
    int result = REAL(rename)(path, target);
    if (result == 0 && is_recorded(path)) {
        pthread_mutex_lock(&mutex);
        add(DISK_RENAME, path, target, 0, NULL, 0);
        pthread_mutex_unlock(&mutex);
    }
    return result;
}

void disk_recorder_start(const char *prefix) {
    pthread_mutex_lock(&mutex);
    for (size_t index = 0; index < count; index++) free(operations[index].bytes);
    count = 0;
    snprintf(recorded, sizeof recorded, "%s", prefix);
    pthread_mutex_unlock(&mutex);
}

void disk_recorder_stop(void) { recorded[0] = 0; }
size_t disk_recorder_count(void) { return count; }
const struct disk_operation *disk_recorder_operation(size_t index) { return &operations[index]; }

void disk_recorder_fail(const char *suffix, int code) {
    failing_code = code;
    snprintf(failing, sizeof failing, "%s", code ? suffix : "");
}
