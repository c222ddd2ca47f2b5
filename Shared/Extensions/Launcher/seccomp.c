/* The system calls of a program. Calls on no list fail with ENOSYS, as in a kernel without the call: calls that newer
   kernels add are not allowed, and libc falls back to older ones. */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A call that this machine or this libseccomp lacks has a negative number. */
static const int allowed[] = {
    /* Files, as far as Landlock allows. */
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(pread64), SCMP_SYS(pwrite64),
    SCMP_SYS(preadv), SCMP_SYS(pwritev), SCMP_SYS(creat), SCMP_SYS(close), SCMP_SYS(close_range),
    SCMP_SYS(stat), SCMP_SYS(fstat), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(statx),
    SCMP_SYS(lseek), SCMP_SYS(access), SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2), SCMP_SYS(getdents), SCMP_SYS(getdents64), SCMP_SYS(getcwd), SCMP_SYS(chdir),
    SCMP_SYS(fchdir), SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat), SCMP_SYS(rmdir), SCMP_SYS(link), SCMP_SYS(linkat), SCMP_SYS(unlink), SCMP_SYS(unlinkat),
    SCMP_SYS(symlink), SCMP_SYS(symlinkat), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(ftruncate),
    SCMP_SYS(fsync), SCMP_SYS(fdatasync), SCMP_SYS(sync_file_range),
    SCMP_SYS(readahead), SCMP_SYS(copy_file_range),
    SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(umask),
    /* Waiting. */
    SCMP_SYS(epoll_create), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait),
    SCMP_SYS(epoll_pwait), SCMP_SYS(epoll_pwait2), SCMP_SYS(eventfd), SCMP_SYS(eventfd2), SCMP_SYS(timerfd_create),
    SCMP_SYS(timerfd_settime), SCMP_SYS(timerfd_gettime), SCMP_SYS(signalfd), SCMP_SYS(signalfd4),
    SCMP_SYS(nanosleep), SCMP_SYS(pause), SCMP_SYS(alarm), SCMP_SYS(setitimer), SCMP_SYS(getitimer),
    SCMP_SYS(restart_syscall), SCMP_SYS(wait4), SCMP_SYS(waitid),
    /* Memory. */
    SCMP_SYS(munmap), SCMP_SYS(mprotect), SCMP_SYS(mremap), SCMP_SYS(brk),
    SCMP_SYS(munlock), SCMP_SYS(msync), SCMP_SYS(membarrier),
    /* Threads and signals. */
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(set_tid_address), SCMP_SYS(gettid),
    SCMP_SYS(sched_yield), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigpending), SCMP_SYS(rt_sigtimedwait), SCMP_SYS(rt_sigsuspend), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack), SCMP_SYS(arch_prctl),
    /* Information about the process itself and the machine. */
    SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
    SCMP_SYS(getresuid), SCMP_SYS(getresgid), SCMP_SYS(getgroups), SCMP_SYS(getpgrp),
    SCMP_SYS(getrlimit), SCMP_SYS(setrlimit), SCMP_SYS(getrusage), SCMP_SYS(times), SCMP_SYS(getcpu),
    SCMP_SYS(sched_get_priority_max), SCMP_SYS(sched_get_priority_min), SCMP_SYS(gettimeofday), SCMP_SYS(time),
    SCMP_SYS(uname), SCMP_SYS(getrandom),
    /* The socket to the host. */
    SCMP_SYS(recvfrom), SCMP_SYS(shutdown), SCMP_SYS(getsockopt), SCMP_SYS(setsockopt), SCMP_SYS(getsockname), SCMP_SYS(getpeername),
    /* Used by the launcher; Landlock limits what may be executed. */
    SCMP_SYS(execve),
};

/* Calls that programs use and that fail with EPERM. Those on files change modes, owners, times and attributes of any
   path the user owns, which Landlock cannot restrict. */
static const int refused[] = {
    SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(fchown), SCMP_SYS(lchown),
    SCMP_SYS(fchownat), SCMP_SYS(utime), SCMP_SYS(utimes), SCMP_SYS(futimesat), SCMP_SYS(utimensat),
    SCMP_SYS(setxattr), SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr), SCMP_SYS(removexattr), SCMP_SYS(lremovexattr),
    SCMP_SYS(fremovexattr), SCMP_SYS(truncate), SCMP_SYS(mknod), SCMP_SYS(mknodat), SCMP_SYS(sync),
    SCMP_SYS(syncfs), SCMP_SYS(inotify_init), SCMP_SYS(inotify_init1), SCMP_SYS(inotify_add_watch),
    SCMP_SYS(fanotify_init), SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at), SCMP_SYS(quotactl),
    /* They reveal which parts of a file others have read (preadv2 with flags does, too), the number of threads of
       the machine, or rights of other processes, and so let programs communicate. */
    SCMP_SYS(mincore), SCMP_SYS(sysinfo), SCMP_SYS(capget), SCMP_SYS(sched_setaffinity),
    /* It drops a page of a file from memory unless another process has mapped it, which would reveal that. */
    SCMP_SYS(fadvise64),
    /* Resources that the kernel counts for all programs of a user together. */
    SCMP_SYS(timer_create), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(mlock),
    SCMP_SYS(mlock2), SCMP_SYS(mlockall),
    /* Calls that can block forever with a file that is open nowhere else. The preloaded library replaces sendfile. */
    SCMP_SYS(sendfile), SCMP_SYS(splice), SCMP_SYS(tee), SCMP_SYS(vmsplice),
    /* Memory files, descriptors in transit through a socket, and buffers of sockets are memory that no figure of the
       process includes. A pair of datagram sockets could also send to the path of any socket. */
    SCMP_SYS(memfd_create), SCMP_SYS(sendmsg), SCMP_SYS(sendmmsg), SCMP_SYS(recvmsg),
    SCMP_SYS(recvmmsg), SCMP_SYS(socketpair),
    SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept), SCMP_SYS(accept4),
    SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(shmctl), SCMP_SYS(shmdt), SCMP_SYS(semget), SCMP_SYS(semop),
    SCMP_SYS(semtimedop), SCMP_SYS(semctl), SCMP_SYS(msgget), SCMP_SYS(msgsnd), SCMP_SYS(msgrcv), SCMP_SYS(msgctl),
    SCMP_SYS(mq_open), SCMP_SYS(mq_unlink), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(execveat), SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp), SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(tkill), SCMP_SYS(setsid), SCMP_SYS(setpgid),
    SCMP_SYS(setuid), SCMP_SYS(setgid), SCMP_SYS(setreuid), SCMP_SYS(setregid), SCMP_SYS(setresuid),
    SCMP_SYS(setresgid), SCMP_SYS(setfsuid), SCMP_SYS(setfsgid), SCMP_SYS(setgroups), SCMP_SYS(capset),
    SCMP_SYS(chroot), SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(setns),
    SCMP_SYS(unshare), SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(keyctl), SCMP_SYS(bpf),
    SCMP_SYS(userfaultfd), SCMP_SYS(perf_event_open), SCMP_SYS(reboot), SCMP_SYS(acct), SCMP_SYS(syslog),
    SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex),
    SCMP_SYS(sethostname), SCMP_SYS(setdomainname), SCMP_SYS(personality), SCMP_SYS(move_pages),
    SCMP_SYS(migrate_pages),
};

/* Extended attributes: not available, as on a file system without them. Space allocated beyond the end of a file is
   not included in limits of its length; libc's posix_fallocate writes instead. */
static const int unsupported[] = {
    SCMP_SYS(fallocate),
    SCMP_SYS(getxattr), SCMP_SYS(lgetxattr), SCMP_SYS(fgetxattr), SCMP_SYS(listxattr), SCMP_SYS(llistxattr),
    SCMP_SYS(flistxattr),
};

/* Calls whose first argument is the id of the process they act on: only this process. */
static const int own_process[] = {SCMP_SYS(kill), SCMP_SYS(tgkill)};

/* Calls whose first argument is the process or thread they act on: only 0, the caller. */
static const int caller[] = {
    SCMP_SYS(prlimit64), SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_setparam), SCMP_SYS(sched_setattr),
    SCMP_SYS(getpgid), SCMP_SYS(getsid),
};

/* The same for calls that return information. libc passes the number of the first thread; for other threads it accepts
   ENOSYS, and no other error (pthread_getattr_np). */
static const int asks_caller[] = {
    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getscheduler), SCMP_SYS(sched_getparam),
};

/* Calls whose first argument is a clock. Clocks of processes and threads are negative numbers; the kernel returns the
   time of a thread only to its own process (the preloaded library uses it). */
static const int clock_calls[] = {SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep)};
static const scmp_datum_t numbered_clock = UINT32_C(1) << 31, thread_clock = 4;

/* Calls that keep a reference to each file they wait for, even if it is closed meanwhile, so that the host would not
   find it. For more files the preloaded library's poll uses epoll, which keeps none. The argument is the number of files. */
static const struct { int call; unsigned argument; scmp_datum_t most; } holders[] = {
    {SCMP_SYS(poll), 1, 2}, {SCMP_SYS(ppoll), 1, 2}, {SCMP_SYS(select), 0, 0}, {SCMP_SYS(pselect6), 0, 0},
};

/* Calls whose second argument is the process or thread, and whose first is its kind: only threads, the lowest kind. */
static const struct { int call; scmp_datum_t kind; } caller_of_kind[] = {
    {SCMP_SYS(setpriority), PRIO_PROCESS}, {SCMP_SYS(getpriority), PRIO_PROCESS},
    {SCMP_SYS(ioprio_set), 1}, {SCMP_SYS(ioprio_get), 1},
};

/* Arguments that select an operation: only these. Directing a descriptor's signals to another process and changing a
   file's flags are not among them. */
static const struct { int call; unsigned argument; scmp_datum_t value; } choices[] = {
    {SCMP_SYS(fcntl), 1, F_DUPFD}, {SCMP_SYS(fcntl), 1, F_DUPFD_CLOEXEC}, {SCMP_SYS(fcntl), 1, F_GETFD},
    {SCMP_SYS(fcntl), 1, F_SETFD}, {SCMP_SYS(fcntl), 1, F_GETFL}, {SCMP_SYS(fcntl), 1, F_SETFL},
    {SCMP_SYS(ioctl), 1, TCGETS}, {SCMP_SYS(ioctl), 1, TIOCGWINSZ}, {SCMP_SYS(ioctl), 1, FIONREAD},
    {SCMP_SYS(ioctl), 1, FIONBIO}, {SCMP_SYS(ioctl), 1, FIOCLEX}, {SCMP_SYS(ioctl), 1, FIONCLEX},
    {SCMP_SYS(ioctl), 1, FICLONE}, {SCMP_SYS(ioctl), 1, FICLONERANGE},
    {SCMP_SYS(prctl), 0, PR_SET_NAME}, {SCMP_SYS(prctl), 0, PR_GET_NAME}, {SCMP_SYS(prctl), 0, PR_GET_DUMPABLE},
    {SCMP_SYS(prctl), 0, PR_GET_PDEATHSIG}, {SCMP_SYS(prctl), 0, PR_GET_NO_NEW_PRIVS},
    {SCMP_SYS(prctl), 0, PR_SET_NO_NEW_PRIVS}, {SCMP_SYS(prctl), 0, PR_GET_SECCOMP},
    {SCMP_SYS(prctl), 0, PR_CAPBSET_READ}, {SCMP_SYS(prctl), 0, PR_SET_TIMERSLACK},
    {SCMP_SYS(prctl), 0, PR_GET_TIMERSLACK}, {SCMP_SYS(prctl), 0, PR_SET_VMA},
};

/* Locks of the process, but no blocking ones: a blocked thread would keep a reference to a file that is closed
   meanwhile, and the host could not find it. The preloaded library waits instead. Locks of open files (F_OFD_SETLK) are refused,
   because the kernel does not report their owner. */
static const scmp_datum_t lock_commands[] = {F_GETLK, F_SETLK};
static const scmp_datum_t refused_lock_commands[] = {F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW};

/* Advice about memory. Not allowed is advice that moves pages of files in and out of memory (COLD, PAGEOUT, REMOVE) or
   shares pages with other processes (MERGEABLE), which others could observe. */
static const scmp_datum_t advice[] = {
    MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_FREE, MADV_DONTFORK, MADV_DOFORK,
    MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP, MADV_WIPEONFORK, MADV_KEEPONFORK,
    /* MADV_GUARD_INSTALL and MADV_GUARD_REMOVE, of linux/mman.h 6.13: guards of the C library's stacks. */
    102, 103,
};

/* Modes of opening a file: before Landlock 3 a program with read access could truncate a file with O_TRUNC. */
static const scmp_datum_t open_modes[] = {
    O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC, O_RDWR | O_TRUNC,
};

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define ERROR(number) SCMP_ACT_ERRNO(number)

static int add_list(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count) {
    int result = 0;
    for (size_t index = 0; result == 0 && index < count; index++)
        result = seccomp_rule_add(filter, action, calls[index], 0);
    return result;
}

/* Allows a call with one value of an argument, and refuses it with any other. */
static int only(scmp_filter_ctx filter, int call, struct scmp_arg_cmp is, struct scmp_arg_cmp is_not) {
    int result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, is);
    return result ? result : seccomp_rule_add(filter, ERROR(EPERM), call, 1, is_not);
}

static int add_clocks(scmp_filter_ctx filter) {
    int result = 0;
    for (size_t index = 0; result == 0 && index < COUNT(clock_calls); index++)
        result = only(
            filter, clock_calls[index], SCMP_A0(SCMP_CMP_MASKED_EQ, numbered_clock, 0),
            SCMP_A0(SCMP_CMP_MASKED_EQ, numbered_clock, numbered_clock));
    if (result == 0)
        result = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(clock_gettime), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, numbered_clock, 0));
    const scmp_datum_t kind = numbered_clock | thread_clock;
    return result ? result : only(
        filter, SCMP_SYS(clock_gettime), SCMP_A0(SCMP_CMP_MASKED_EQ, kind, kind),
        SCMP_A0(SCMP_CMP_MASKED_EQ, kind, numbered_clock));
}

/* A full pipe is memory that no figure of the process includes, and the number of pipes per user is limited; a program
   without children needs none. Foundation's Pipe handles this error. */
static int add_waits(scmp_filter_ctx filter) {
    static const int pipes[] = {SCMP_SYS(pipe), SCMP_SYS(pipe2)};
    int result = add_list(filter, ERROR(EMFILE), pipes, COUNT(pipes));
    for (size_t index = 0; result == 0 && index < COUNT(holders); index++) {
        const unsigned argument = holders[index].argument;
        const scmp_datum_t most = holders[index].most;
        result = only(
            filter, holders[index].call, SCMP_CMP(argument, SCMP_CMP_LE, most, 0),
            SCMP_CMP(argument, SCMP_CMP_GT, most, 0));
    }
    return result ? result : add_clocks(filter);
}

/* New threads are allowed, new processes are not. A thread must share everything with the others as threads of the C
   library do: one with separate descriptors would have files that the host does not find. clone3 passes its flags in
   memory, where the filter cannot see them; libc falls back to clone. */
static int add_threads(scmp_filter_ctx filter) {
    static const scmp_datum_t shared[] = {
        CLONE_VM, CLONE_FS, CLONE_FILES, CLONE_SIGHAND, CLONE_THREAD, CLONE_SYSVSEM,
    };
    const scmp_datum_t free_choice = CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
    scmp_datum_t all = 0;
    int result = 0;
    for (size_t index = 0; result == 0 && index < COUNT(shared); index++) {
        all |= shared[index];
        result = seccomp_rule_add(
            filter, ERROR(EPERM), SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, shared[index], 0));
    }
    return result ? result : seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, ~free_choice, all));
}

static int add_processes(scmp_filter_ctx filter) {
    const scmp_datum_t self = (scmp_datum_t)getpid();
    int result = 0;
    for (size_t index = 0; result == 0 && index < COUNT(own_process); index++)
        result = only(
            filter, own_process[index], SCMP_A0(SCMP_CMP_EQ, self, 0), SCMP_A0(SCMP_CMP_NE, self, 0));
    for (size_t index = 0; result == 0 && index < COUNT(caller); index++)
        result = only(filter, caller[index], SCMP_A0(SCMP_CMP_EQ, 0, 0), SCMP_A0(SCMP_CMP_NE, 0, 0));
    for (size_t index = 0; result == 0 && index < COUNT(asks_caller); index++) {
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, asks_caller[index], 1, SCMP_A0(SCMP_CMP_EQ, 0, 0));
        if (result == 0)
            result = seccomp_rule_add(
                filter, SCMP_ACT_ALLOW, asks_caller[index], 1, SCMP_A0(SCMP_CMP_EQ, self, 0));
    }
    for (size_t index = 0; result == 0 && index < COUNT(caller_of_kind); index++)
        result = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, caller_of_kind[index].call, 2,
            SCMP_A0(SCMP_CMP_EQ, caller_of_kind[index].kind, 0), SCMP_A1(SCMP_CMP_EQ, 0, 0));
    return result ? result : add_threads(filter);
}

/* Locking a file that two programs may only read would let them communicate. */
static int add_locks(scmp_filter_ctx filter, bool locks) {
    const uint32_t action = locks ? SCMP_ACT_ALLOW : ERROR(EPERM);
    int result = seccomp_rule_add(
        filter, action, SCMP_SYS(flock), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, LOCK_NB, LOCK_NB));
    if (result == 0)
        result = seccomp_rule_add(
            filter, ERROR(EPERM), SCMP_SYS(flock), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, LOCK_NB, 0));
    for (size_t index = 0; result == 0 && index < COUNT(lock_commands); index++)
        result = seccomp_rule_add(
            filter, action, SCMP_SYS(fcntl), 1, SCMP_A1(SCMP_CMP_EQ, lock_commands[index], 0));
    for (size_t index = 0; result == 0 && index < COUNT(refused_lock_commands); index++)
        result = seccomp_rule_add(
            filter, ERROR(EPERM), SCMP_SYS(fcntl), 1, SCMP_A1(SCMP_CMP_EQ, refused_lock_commands[index], 0));
    return result;
}

static int add_choices(scmp_filter_ctx filter) {
    int result = 0;
    for (size_t index = 0; result == 0 && index < COUNT(choices); index++)
        result = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, choices[index].call, 1,
            SCMP_CMP(choices[index].argument, SCMP_CMP_EQ, choices[index].value, 0));
    /* Without an address: only to the connected peer. */
    if (result == 0)
        result = only(
            filter, SCMP_SYS(sendto), SCMP_A4(SCMP_CMP_EQ, 0, 0), SCMP_A4(SCMP_CMP_NE, 0, 0));
    for (size_t index = 0; result == 0 && index < COUNT(open_modes); index++) {
        const scmp_datum_t mask = O_ACCMODE | O_TRUNC;
        result = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
            SCMP_A2(SCMP_CMP_MASKED_EQ, mask, open_modes[index]));
        if (result == 0)
            result = seccomp_rule_add(
                filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
                SCMP_A1(SCMP_CMP_MASKED_EQ, mask, open_modes[index]));
    }
    return result;
}

/* Private memory and files, but no mapping that grows by itself past the limit of data. Anonymous shared memory stays
   allocated as long as one page of it is mapped, and no figure of the process includes the rest; without another process
   to share it, no program needs it. */
static int add_mappings(scmp_filter_ctx filter) {
    static const scmp_datum_t shared[] = {MAP_SHARED, MAP_SHARED_VALIDATE};
    int result = seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
        SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE | MAP_GROWSDOWN, MAP_PRIVATE));
    for (size_t index = 0; result == 0 && index < COUNT(advice); index++)
        result = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(madvise), 1, SCMP_A2(SCMP_CMP_EQ, advice[index], 0));
    if (result == 0)
        result = seccomp_rule_add(
            filter, ERROR(EPERM), SCMP_SYS(mmap), 1,
            SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE | MAP_GROWSDOWN, MAP_PRIVATE | MAP_GROWSDOWN));
    for (size_t index = 0; result == 0 && index < COUNT(shared); index++) {
        const scmp_datum_t mask = MAP_TYPE | MAP_ANONYMOUS | MAP_GROWSDOWN;
        result = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, SCMP_A3(SCMP_CMP_MASKED_EQ, mask, shared[index]));
        if (result == 0)
            result = seccomp_rule_add(
                filter, ERROR(EPERM), SCMP_SYS(mmap), 1,
                SCMP_A3(SCMP_CMP_MASKED_EQ, mask, shared[index] | MAP_ANONYMOUS));
    }
    return result;
}

void apply_seccomp(bool locks, struct report *report) {
    scmp_filter_ctx filter = seccomp_init(ERROR(ENOSYS));
    int result = filter ? add_list(filter, SCMP_ACT_ALLOW, allowed, COUNT(allowed)) : -ENOMEM;
    if (result == 0) result = add_list(filter, ERROR(EPERM), refused, COUNT(refused));
    if (result == 0) result = add_list(filter, ERROR(EOPNOTSUPP), unsupported, COUNT(unsupported));
    if (result == 0) result = add_processes(filter);
    if (result == 0) result = add_choices(filter);
    if (result == 0) result = add_waits(filter);
    if (result == 0) result = add_locks(filter, locks);
    if (result == 0) result = add_mappings(filter);
    /* A binary tree: otherwise a list of two hundred calls would be scanned at each call. */
    if (result == 0) result = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (result == 0) result = seccomp_load(filter);
    if (filter) seccomp_release(filter);
    if (result == 0)
        report_add(report, "seccomp");
    else
        report_add(report, "!seccomp: %s; use a kernel with CONFIG_SECCOMP_FILTER", strerror(-result));
}
