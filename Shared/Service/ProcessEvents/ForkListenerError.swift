import Glibc

/// Why forks cannot be followed here.
package struct ForkListenerError: Error, Equatable {
    /// What is so, without a full stop.
    package let reason: String
    /// What to do.
    package let remedy: String

    /// What it means.
    package static let consequence = "Daemons that an app leaves behind are then not found."

    package var text: String { "\(reason). \(Self.consequence) \(remedy)" }

    private init(_ reason: String, _ remedy: String) {
        self.reason = reason
        self.remedy = remedy
    }

    /// The kernel took the request and gave no answer.
    static var unconfirmed: ForkListenerError {
        let silence = "the kernel does not confirm that it reports forks"
        if let container = inContainer(silence) { return container }
        return ForkListenerError("\(silence) (no right to it, or it is built without process events)", rights)
    }

    static func failed(_ what: String, _ code: Int32) -> ForkListenerError {
        let sentence = "\(what) failed: \(String(cString: strerror(code)))"
        // The kernel's own end of the connector is in the first network namespace only.
        if code == ECONNREFUSED { return container(sentence, "a network") }
        if code == EPROTONOSUPPORT {
            return ForkListenerError(sentence, "Run a kernel with CONFIG_PROC_EVENTS.")
        }
        let isRefused = code == EPERM || code == EACCES
        return inContainer(sentence)
            ?? ForkListenerError(sentence, isRefused ? rights : "Start the desktop agent again.")
    }

    private static let rights = "Give the desktop agent CAP_NET_ADMIN or run Linux 6.6 or later."

    /// All are named: each of them alone is not enough.
    private static func container(_ sentence: String, _ what: String) -> ForkListenerError {
        ForkListenerError(
            "\(sentence); this container has \(what) of its own",
            "Run screentime outside of the container, or start it with the host's process ids, network and "
                + "user ids, all three.")
    }

    /// The first namespaces have fixed numbers (PROC_PID_INIT_INO, PROC_USER_INIT_INO in linux/proc_ns.h);
    /// the kernel passes over requests from others without a word (cn_proc_mcast_ctl).
    private static func inContainer(_ sentence: String) -> ForkListenerError? {
        for (name, first, what) in [
            ("pid", 0xEFFF_FFFC as UInt, "process ids"), ("user", 0xEFFF_FFFD, "user ids"),
        ] {
            var status = stat()
            if stat("/proc/self/ns/\(name)", &status) == 0, status.st_ino != first {
                return container(sentence, what)
            }
        }
        return nil
    }
}
