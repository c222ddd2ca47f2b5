#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/signalfd.h>
#include <sys/prctl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <sys/epoll.h>
#include <sys/pidfd.h>
#include <poll.h>
#include <malloc.h>
#include <fcntl.h>
#include <spawn.h>
#include <pwd.h>
#include <signal.h>
#include <pthread.h>
#include <time.h>
#include <sys/timex.h>
#include <sys/inotify.h>
#include <linux/netlink.h>
#include <linux/connector.h>
#include <linux/cn_proc.h>
#include <linux/filter.h>
/* glibc 2.29; its header shows it only with _DEFAULT_SOURCE, which Swift's importer does not define. */
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
/* The same of glibc 2.12, pthread.h. */
extern int pthread_setname_np(pthread_t, const char *);
/* The same of glibc 2.34, unistd.h. */
extern int close_range(unsigned int, unsigned int, int);
/* Of glibc 2.14, unistd.h; shown only with _GNU_SOURCE. */
extern int syncfs(int);
/* Of glibc 2.28, stdio.h; shown only with _GNU_SOURCE. */
extern int renameat2(int, const char *, int, const char *, unsigned int);
/* Of glibc 2.27, sys/mman.h; shown only with _GNU_SOURCE. */
extern int memfd_create(const char *, unsigned int);

/// What runs the jobs of tasks without an actor, and of each that goes on after it has waited, in the place of
/// libdispatch's pool: `void hook(Job *, original) swiftcall`, a variable of Swift's runtime.
static inline void replace_global_executor(void *hook) {
    extern void *swift_task_enqueueGlobal_hook;
    swift_task_enqueueGlobal_hook = hook;
}
