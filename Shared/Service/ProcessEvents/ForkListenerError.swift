import Glibc

/// Why forks cannot be observed.
package struct ForkListenerError: Error, Equatable {
    /// What is wrong, without a full stop.
    package let reason: String
    /// What to do.
    package let remedy: String

    /// What does not work because of it.
    package static let consequence = "Without these events, daemons that an app leaves behind are not found."

    /// Reason, consequence and remedy, as sentences.
    package var text: String { "\(reason). \(Self.consequence) \(remedy)" }

    private init(_ reason: String, _ remedy: String) {
        self.reason = reason
        self.remedy = remedy
    }

    /// The kernel accepted the request but did not confirm it.
    static var unconfirmed: ForkListenerError {
        let silence = "the kernel did not confirm that it reports forks"
        if let container = inContainer(silence) { return container }
        return ForkListenerError("\(silence) (no permission, or built without process events)", rights)
    }

    static func failed(_ what: String, _ code: Int32) -> ForkListenerError {
        let sentence = "\(what) failed: \(String(cString: strerror(code)))"
        // The kernel's end of the connector exists only in the first network namespace.
        if code == ECONNREFUSED { return container(sentence, "a network") }
        if code == EPROTONOSUPPORT {
            return ForkListenerError(sentence, "Run a kernel with CONFIG_PROC_EVENTS.")
        }
        let isRefused = code == EPERM || code == EACCES
        return inContainer(sentence)
            ?? ForkListenerError(sentence, isRefused ? rights : "Start the desktop agent again.")
    }

    private static let rights = "Give the desktop agent CAP_NET_ADMIN or run Linux 6.6 or later."

    /// Names all conditions, since each alone is not enough.
    private static func container(_ sentence: String, _ what: String) -> ForkListenerError {
        ForkListenerError(
            "\(sentence); this container has \(what) of its own",
            "Run screentime outside of the container, or start it with the host's process ids, network and "
                + "user ids, all three.")
    }

    /// The first namespaces have fixed numbers (PROC_PID_INIT_INO, PROC_USER_INIT_INO in linux/proc_ns.h).
    /// The kernel ignores requests from others without an answer (cn_proc_mcast_ctl).
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
