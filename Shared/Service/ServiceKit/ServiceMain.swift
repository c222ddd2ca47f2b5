package import Contract
import Glibc
internal import Loop

/// The frame of every executable: configuration from the environment, the loop on the main thread, one
/// sentence on standard error and an exit code when it cannot run.
///
/// Exit codes, after sysexits.h: 0 stopped in order; 69 something needed is missing; 70 a bug; 73 the state
/// cannot be opened (damaged, newer, full); 75 it already runs here; 77 not allowed; 78 wrong configuration.
package enum ServiceMain {
    /// - Parameter takesArguments: false: any argument is refused, lest `--help` start a service.
    package static func run(
        _ name: String, takesArguments: Bool = false,
        _ start: @escaping @LoopActor (Configuration) throws(ServiceError) -> Void
    ) -> Never {
        if !takesArguments, CommandLine.arguments.count > 1 {
            fail(
                name,
                ServiceError(
                    .invalidArgument, "nothing is known of the argument '\(CommandLine.arguments[1])'",
                    remedy: "Services take none; the environment configures them, see deploy/README.md."))
        }
        signal(SIGPIPE, SIG_IGN)
        // A file that may grow no further (RLIMIT_FSIZE) refuses that write, and ends nobody.
        signal(SIGXFSZ, SIG_IGN)
        umask(0o077)
        raiseDescriptorLimit()
        // Before any thread is started: one that did not inherit the mask would let the signal end us.
        SignalDescriptor.block([SIGTERM, SIGINT])
        Reactor.run {
            do throws(ServiceError) {
                let configuration = try Configuration(environment: Configuration.processEnvironment)
                do throws(ServiceError) { try start(configuration) } catch {
                    throw DamagedStore.told(error, name, in: configuration.stateDirectory)
                }
            } catch {
                fail(name, error)
            }
        }
        exit(0)
    }

    /// Each connection is a descriptor, and the usual soft limit of 1,024 is made for select(2), which
    /// nothing here uses. Where it cannot be raised, connections leave room for the rest (`accept_limit.h`).
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Says what was wrong and what to do, and ends the process.
    package static func fail(_ name: String, _ error: ServiceError) -> Never {
        let sentence = VisibleText.escaped("\(name): \(error.message). \(error.remedy)")
        let text = Array((sentence + "\n").utf8)
        // Standard error may be closed; the exit code still tells.
        _ = write(STDERR_FILENO, text, text.count)
        exit(exitCode(error.name))
    }

    package static func exitCode(_ name: ErrorName) -> Int32 {
        switch name {
        case .invalidArgument, .limitExceeded: 78
        case .alreadyExists: 75
        case .storageDamaged, .storageFailed, .storageFull: 73
        case .wrongUser, .accessDenied: 77
        case .unavailable, .notFound: 69
        default: 70
        }
    }
}
