/* The page of memory that contains a clock moved by another process.
 *
 * It is a file mapped by all processes that use it: the driver writes, services and the preloaded clock library read.
 * It outlives the processes, so that a restarted one continues at the same instant as the others.
 *
 * The kind of clock (`stands`) is chosen when the page is created and never changes. Each other field is one word that
 * is read and written atomically, so readers need no lock, and a writer that dies leaves a consistent clock. */
#ifndef SCREENTIME_CLOCK_PAGE_H
#define SCREENTIME_CLOCK_PAGE_H

#include <stddef.h>
#include <stdint.h>

#define CLOCK_PAGE_MAGIC "STCLOCK1"

/* The environment variable with the page's path, for the preloaded clock library. */
#define CLOCK_PAGE_KEY "SCREENTIME_CLOCK_PAGE"

struct clock_page {
    char magic[8];
    /* A futex word, incremented after each change (clock_page_changed). */
    uint32_t generation;
    /* Number of discontinuous changes of CLOCK_REALTIME, as by clock_settime(2); cancels timers that requested it. */
    uint32_t sets;
    /* 1: CLOCK_REALTIME is fixed at realtime_ns. 0: it runs, realtime_ns ahead of the machine's. */
    uint32_t stands;
    /* What adjtimex(2) reports: 0 the machine's state; 1 synchronised; 2 not synchronised. */
    uint32_t discipline;
    int64_t realtime_ns;
    /* CLOCK_BOOTTIME and CLOCK_MONOTONIC always run; these are added to the machine's. Deadlines of transport
     * are measured on them, so that a program which waits for an answer waits in real time. */
    int64_t boottime_ns;
    int64_t monotonic_ns;
};

/* Creates the page completely or not at all. Returns 0, or -1 with errno (EEXIST if it exists). */
int clock_page_create(const char *path, uint32_t stands, int64_t realtime_ns);

/* Maps the page for the lifetime of the process. Returns NULL with errno on failure (EBADMSG: not a clock page). */
struct clock_page *clock_page_map(const char *path, int writable);

/* From now on, truncation of the page's file ends the process with a message and exit code 73. SIGBUS alone would end
 * it without a message, and zeros would be a wrong time. Only one page per process can be guarded. */
void clock_page_guard(const struct clock_page *page, const char *path);

/* Ends the process if the page is guarded and its file was truncated. Call it after reading: the rest of a memory page
 * beyond the end of a file reads as zeros. */
void clock_page_check(const struct clock_page *page);

/* As clock_page_realtime_ns; ends the process if the page is guarded and its file was truncated. */
int64_t clock_page_guarded_ns(const struct clock_page *page, int64_t machine_ns);

/* Announces changed fields: increments `generation` and wakes its waiters. */
void clock_page_changed(struct clock_page *page);

/* Writes the page to the disk, so that it survives a power failure. Returns 0, or -1 with errno. */
int clock_page_sync(struct clock_page *page);

static inline int64_t clock_page_load_ns(const int64_t *field) {
    return __atomic_load_n(field, __ATOMIC_ACQUIRE);
}

static inline void clock_page_store_ns(int64_t *field, int64_t value) {
    __atomic_store_n(field, value, __ATOMIC_RELEASE);
}

static inline uint32_t clock_page_load(const uint32_t *field) {
    return __atomic_load_n(field, __ATOMIC_ACQUIRE);
}

static inline void clock_page_store(uint32_t *field, uint32_t value) {
    __atomic_store_n(field, value, __ATOMIC_RELEASE);
}

/* The virtual CLOCK_REALTIME when the machine's clock is at machine_ns. */
static inline int64_t clock_page_realtime_ns(const struct clock_page *page, int64_t machine_ns) {
    int64_t value = clock_page_load_ns(&page->realtime_ns);
    return clock_page_load(&page->stands) ? value : machine_ns + value;
}

#endif
