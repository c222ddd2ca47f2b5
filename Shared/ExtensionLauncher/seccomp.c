#include "launcher.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls that an extension has no business with: other processes, the machine, keys, other ways to make
   sockets. A call that this libseccomp does not know is left out by its number being negative. */
static const int refused[] = {
    SCMP_SYS(socket), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal), SCMP_SYS(tkill), SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root),
    SCMP_SYS(chroot), SCMP_SYS(fsopen), SCMP_SYS(fsmount), SCMP_SYS(fsconfig), SCMP_SYS(fspick),
    SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(mount_setattr), SCMP_SYS(setns), SCMP_SYS(unshare),
    SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(keyctl), SCMP_SYS(bpf), SCMP_SYS(userfaultfd),
    SCMP_SYS(perf_event_open), SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at),
    SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct),
    SCMP_SYS(quotactl), SCMP_SYS(syslog), SCMP_SYS(settimeofday), SCMP_SYS(clock_settime),
    SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex), SCMP_SYS(sethostname), SCMP_SYS(setdomainname),
    SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(personality), SCMP_SYS(fanotify_init), SCMP_SYS(vhangup),
};

/* Calls whose users know how to do without them. io_uring would make sockets past this filter; clone3 hides
   its flags in memory, and glibc then takes clone. */
static const int absent[] = {
    SCMP_SYS(clone3), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
};

/* Calls whose first argument is the process they act on: only this one. */
static const int own_process[] = {
    SCMP_SYS(kill), SCMP_SYS(tgkill), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo),
};

static int add_rules(scmp_filter_ctx filter) {
    int result = 0;
    for (size_t index = 0; result == 0 && index < sizeof refused / sizeof *refused; index++)
        result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[index], 0);
    for (size_t index = 0; result == 0 && index < sizeof absent / sizeof *absent; index++)
        result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), absent[index], 0);
    for (size_t index = 0; result == 0 && index < sizeof own_process / sizeof *own_process; index++)
        result = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), own_process[index], 1,
            SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid(), 0));
    /* A new thread is fine, a new process is not. */
    if (result == 0)
        result = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
            SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    return result;
}

void apply_seccomp(struct report *report) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int result = filter ? add_rules(filter) : -ENOMEM;
    if (result == 0) result = seccomp_load(filter);
    if (filter) seccomp_release(filter);
    if (result == 0)
        report_add(report, "seccomp");
    else
        report_add(report, "!seccomp: %s; use a kernel with CONFIG_SECCOMP_FILTER", strerror(-result));
}
