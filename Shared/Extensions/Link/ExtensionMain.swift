internal import Contract
import Glibc

/// Entry point of a minimal extension program.
package enum ExtensionMain {
    /// Serves the host that started this program; never returns. Exit codes: 0 the host closed the stream; 64
    /// the program was not started by a host; 65 the host violated the protocol.
    package static func run(_ program: any MonitorExtension) -> Never {
        signal(SIGPIPE, SIG_IGN)
        guard let descriptor = inherited(Wire.descriptorKey), let journal = inherited(Wire.journalKey) else {
            let text = Array(
                "this is an extension program; monitor-runner starts it when its callbacks are due\n".utf8)
            // Standard error may be closed; the exit code reports the error as well.
            _ = write(STDERR_FILENO, text, text.count)
            exit(64)
        }
        ExtensionHost(descriptor: descriptor, journal: journal).serve(program)
    }

    private static func inherited(_ key: String) -> Int32? {
        guard let text = getenv(key), let number = Int32(String(cString: text)), fcntl(number, F_GETFD) >= 0
        else {
            return nil
        }
        // Processes that the program starts must not inherit the connection to the host.
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return number
    }
}
