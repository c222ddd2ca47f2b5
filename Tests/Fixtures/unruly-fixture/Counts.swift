import Glibc

/// Resources that the kernel counts per user, and information about other processes or the machine: each
/// could take something from other programs, or signal something to them.
enum Counts {
    /// A signal that is queued: each counts.
    private static let queued: Int32 = 40

    static func ofTheUser() {
        // RLIMIT_MEMLOCK, SIGPENDING, MSGQUEUE, NICE, RTPRIO.
        for resource in [8, 11, 12, 13, 14] {
            var limit = rlimit()
            withUnsafeMutablePointer(to: &limit) {
                _ = HostCalls.call("getrlimit", [resource, Int(bitPattern: $0)])
            }
            print("limit \(resource)", limit.rlim_max == 0 ? "none" : "done")
        }
        var event = sigevent()
        event.sigev_notify = Int32(SIGEV_NONE)
        var timer = 0
        withUnsafeMutablePointer(to: &event) { event in
            withUnsafeMutablePointer(to: &timer) {
                HostCalls.attempt(
                    "timer", "timer_create", Int(CLOCK_MONOTONIC), Int(bitPattern: event),
                    Int(bitPattern: $0))
            }
        }
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, queued)
        sigprocmask(SIG_BLOCK, &set, nil)
        HostCalls.attempt("queued signal", "sigqueue", Int(getpid()), Int(queued), 0)
        let thread = HostCalls.call("gettid", []) ?? 0
        HostCalls.attempt("signal to a thread", "tgkill", Int(getpid()), thread, Int(queued))
        let page = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        HostCalls.attempt("locked memory", "mlock", Int(bitPattern: page), 4_096)
        var ends: [Int32] = [-1, -1]
        ends.withUnsafeMutableBytes {
            HostCalls.attempt("pipe", "pipe", Int(bitPattern: $0.baseAddress))
            HostCalls.attempt("pipe with flags", "pipe2", Int(bitPattern: $0.baseAddress), 0)
        }
    }

    static func ofTheMachine() {
        let parent = getppid()
        var room = [Int](repeating: 0, count: 64)
        room.withUnsafeMutableBytes {
            let place = Int(bitPattern: $0.baseAddress)
            HostCalls.attempt("figures of the machine", "sysinfo", place)
            HostCalls.attempt("affinity of another", "sched_getaffinity", Int(parent), 128, place)
            HostCalls.attempt("scheduler of another", "sched_getscheduler", Int(parent))
            HostCalls.attempt("priority of another", "sched_getparam", Int(parent), place)
            // CPUCLOCK_SCHED of a process and of a thread (clock_getcpuclockid(3)).
            for kind: clockid_t in [2, 6] {
                let clock = Int((~parent) << 3 | kind)
                HostCalls.attempt("time of another \(kind)", "clock_gettime", clock, place)
                HostCalls.attempt("resolution of another \(kind)", "clock_getres", clock, place)
            }
            // _LINUX_CAPABILITY_VERSION_3 and a process.
            $0.storeBytes(of: 0x2008_0522, as: UInt32.self)
            $0.storeBytes(of: parent, toByteOffset: 4, as: Int32.self)
            HostCalls.attempt("rights of another", "capget", place, place + 64)
        }
        for path in [
            "/proc/loadavg", "/proc/stat", "/proc/vmstat", "/proc/meminfo", "/proc/interrupts",
            "/proc/key-users", "/proc/locks", "/proc/sys/fs/file-nr", "/proc/sys/fs/inode-nr",
            "/proc/\(parent)/stat",
        ] { tell(path, open(path, O_RDONLY) < 0) }
        room.withUnsafeMutableBytes {
            let place = Int(bitPattern: $0.baseAddress)
            HostCalls.attempt("its processors", "sched_setaffinity", 0, 128, place)
            ".".withCString { HostCalls.attempt("room of the disk", "statfs", Int(bitPattern: $0), place) }
            HostCalls.attempt("room of the journal's disk", "fstatfs", 3, place)
        }
        pages()
        ofItself()
    }

    /// Pages of a file that others may have mapped, too: moved out of memory.
    private static func pages() {
        let file = open("/proc/self/exe", O_RDONLY)
        let memory = mmap(nil, 4_096, PROT_READ, MAP_SHARED, file, 0)
        // fadvise64 (221 on x86-64, 223 elsewhere) with POSIX_FADV_DONTNEED; its function returns the error.
        #if arch(x86_64)
            HostCalls.attempt("pages of a file", "syscall", 221, Int(file), 0, 4_096, 4)
        #else
            HostCalls.attempt("pages of a file", "syscall", 223, Int(file), 0, 4_096, 4)
        #endif
        // MADV_REMOVE, MERGEABLE, COLD and PAGEOUT.
        for advice in [9, 12, 20, 21] {
            HostCalls.attempt("advice \(advice)", "madvise", Int(bitPattern: memory), 4_096, advice)
        }
    }

    /// What the kernel has of a process and of each of its threads (Linux 6.18), but for what it may read:
    /// which pages others have mapped, too, and what they mounted, connected and run.
    private static func ofItself() {
        let names = [
            ".", "arch_status", "autogroup", "cgroup", "clear_refs", "coredump_filter", "cpuset", "environ",
            "fd", "fdinfo", "gid_map", "io", "ksm_merging_pages", "ksm_stat", "loginuid", "map_files", "mem",
            "mountinfo", "mounts", "mountstats", "net/tcp", "net/unix", "numa_maps", "oom_score",
            "oom_score_adj", "pagemap", "personality", "sched", "schedstat", "sessionid", "setgroups",
            "smaps", "smaps_rollup", "stack", "syscall", "task", "timens_offsets", "timers", "uid_map",
            "wchan",
        ]
        let thread = HostCalls.call("gettid", []) ?? 0
        for place in ["self", "\(getpid())", "self/task/\(thread)", "thread-self", "\(thread)"] {
            for name in names {
                let path = "/proc/\(place)/\(name)"
                tell(path, open(path, O_RDONLY) < 0)
            }
        }
    }
}
