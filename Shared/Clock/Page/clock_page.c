#define _GNU_SOURCE
#include "clock_page.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int write_whole(const char *path, const struct clock_page *page) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0) return -1;
    ssize_t written = write(descriptor, page, sizeof *page);
    if (written >= 0 && written < (ssize_t)sizeof *page) errno = ENOSPC;
    int result = written == (ssize_t)sizeof *page ? fsync(descriptor) : -1;
    int reason = errno;
    close(descriptor);
    errno = reason;
    return result;
}

int clock_page_create(const char *path, uint32_t stands, int64_t realtime_ns) {
    struct clock_page page = {
        .magic = CLOCK_PAGE_MAGIC, .generation = 1, .stands = stands, .realtime_ns = realtime_ns};
    char whole[PATH_MAX];
    if (snprintf(whole, sizeof whole, "%s.%ld", path, (long)getpid()) >= (int)sizeof whole) {
        errno = ENAMETOOLONG;
        return -1;
    }
    /* link(2) fails if there is a page already, and never makes an incomplete one visible. */
    int result = write_whole(whole, &page);
    if (result == 0) result = link(whole, path);
    int reason = errno;
    unlink(whole);
    errno = reason;
    return result;
}

struct clock_page *clock_page_map(const char *path, int writable) {
    /* Without waiting for the other end of a FIFO, and without following symbolic links. */
    int descriptor = open(path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (descriptor < 0) {
        if (errno == ELOOP || errno == ENXIO || errno == EISDIR) errno = EBADMSG;
        return NULL;
    }
    struct stat facts;
    void *page = MAP_FAILED;
    if (fstat(descriptor, &facts) == 0) {
        /* Reading beyond the end of a shorter file would raise SIGBUS. */
        if (!S_ISREG(facts.st_mode) || facts.st_size < (off_t)sizeof(struct clock_page)) {
            errno = EBADMSG;
        } else {
            int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
            page = mmap(NULL, sizeof(struct clock_page), protection, MAP_SHARED, descriptor, 0);
        }
    }
    int reason = errno;
    close(descriptor);
    errno = reason;
    if (page == MAP_FAILED) return NULL;
    if (memcmp(page, CLOCK_PAGE_MAGIC, sizeof ((struct clock_page *)0)->magic) != 0) {
        munmap(page, sizeof(struct clock_page));
        errno = EBADMSG;
        return NULL;
    }
    return page;
}

/* The page this process depends on, and its file. */
static const struct clock_page *guarded;
static int guarded_file = -1;
static ino_t guarded_inode;

static void end_without_clock(void) {
    static const char words[] =
        "the file of the clock page was truncated while this process used it. Remove the whole state directory, and "
        "start again.\n";
    ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
    /* EX_CANTCREAT, as for all state that cannot be opened. */
    _exit(73);
}

/* Access to a memory page beyond the end of its file raises SIGBUS. */
static void on_bus_error(int number, siginfo_t *info, void *context) {
    (void)context;
    const char *place = info->si_addr, *page = (const char *)guarded;
    if (page && place >= page && place < page + sizeof *guarded) end_without_clock();
    signal(number, SIG_DFL);
}

void clock_page_guard(const struct clock_page *page, const char *path) {
    if (guarded_file >= 0) close(guarded_file);
    guarded_file = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
    struct stat facts;
    guarded_inode = fstat(guarded_file, &facts) == 0 ? facts.st_ino : 0;
    guarded = page;
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    sigaction(SIGBUS, &action, NULL);
}

void clock_page_check(const struct clock_page *page) {
    struct stat facts;
    /* A program that closed a descriptor it did not open may have another file under this number. */
    if (page == guarded && fstat(guarded_file, &facts) == 0 && facts.st_ino == guarded_inode
        && facts.st_size < (off_t)sizeof *page)
        end_without_clock();
}

int64_t clock_page_guarded_ns(const struct clock_page *page, int64_t machine_ns) {
    int64_t value = clock_page_realtime_ns(page, machine_ns);
    clock_page_check(page);
    return value;
}

void clock_page_changed(struct clock_page *page) {
    __atomic_add_fetch(&page->generation, 1, __ATOMIC_ACQ_REL);
    syscall(SYS_futex, &page->generation, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

int clock_page_sync(struct clock_page *page) { return msync(page, sizeof *page, MS_SYNC); }
