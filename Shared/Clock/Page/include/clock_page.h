/* The page of memory that holds a clock which somebody else moves.
 *
 * One file, mapped by all who live by it: the driver writes, services and the preloaded clock library read. It
 * outlives its processes, so that whoever is started again goes on at the instant where the others stand.
 *
 * The kind of clock (`stands`) is chosen when the page is made and never changes; each other field is one
 * word, read and written whole. So a reader needs no lock, and a writer that dies leaves no half a clock. */
#ifndef SCREENTIME_CLOCK_PAGE_H
#define SCREENTIME_CLOCK_PAGE_H

#include <stddef.h>
#include <stdint.h>

#define CLOCK_PAGE_MAGIC "STCLOCK1"

/* The environment key that names the page to the preloaded clock library. */
#define CLOCK_PAGE_KEY "SCREENTIME_CLOCK_PAGE"

struct clock_page {
    char magic[8];
    /* A futex word: one more after each change (clock_page_changed). */
    uint32_t generation;
    /* How often CLOCK_REALTIME was set discontinuously, as by clock_settime(2): cancels timers that asked. */
    uint32_t sets;
    /* 1: CLOCK_REALTIME stands at realtime_ns. 0: it runs, realtime_ns ahead of the machine's. */
    uint32_t stands;
    /* What adjtimex(2) says of the clock: 0 as the machine's; 1 that it is synchronised; 2 that it is not. */
    uint32_t discipline;
    int64_t realtime_ns;
    /* CLOCK_BOOTTIME and CLOCK_MONOTONIC always run; these are added to the machine's. Deadlines of transport
     * are measured on them, so that a program which waits for an answer waits in real time. */
    int64_t boottime_ns;
    int64_t monotonic_ns;
};

/* Makes the page, whole or not at all. 0, or -1 with errno (EEXIST: there is one). */
int clock_page_create(const char *path, uint32_t stands, int64_t realtime_ns);

/* Maps the page for the rest of the process's life. NULL with errno; EBADMSG: the file is no clock page. */
struct clock_page *clock_page_map(const char *path, int writable);

/* From here on, a page whose file was cut ends the process with a sentence and the exit code 73: by SIGBUS it would
 * say nothing, and zeros are no time. One page of a process at a time. */
void clock_page_guard(const struct clock_page *page, const char *path);

/* Ends the process when the page is guarded and was cut. After a look at it: what is in the rest of a memory page
 * behind the end of a file reads as zeros. */
void clock_page_check(const struct clock_page *page);

/* As clock_page_realtime_ns, and ends the process when the page is guarded and was cut. */
int64_t clock_page_guarded_ns(const struct clock_page *page, int64_t machine_ns);

/* Says that fields were changed: counts `generation` and wakes who waits on it. */
void clock_page_changed(struct clock_page *page);

/* Writes the page to the disk: what a power cut would lose without. 0, or -1 with errno. */
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

/* What CLOCK_REALTIME shows, when the machine's own shows machine_ns. */
static inline int64_t clock_page_realtime_ns(const struct clock_page *page, int64_t machine_ns) {
    int64_t value = clock_page_load_ns(&page->realtime_ns);
    return clock_page_load(&page->stands) ? value : machine_ns + value;
}

#endif
