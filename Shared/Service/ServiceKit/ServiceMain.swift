package import Contract
internal import CPosix
import Glibc
internal import Loop

/// The main function of every executable: reads the configuration from the environment and runs the loop on
/// the main thread. If it cannot run, prints one sentence on standard error and exits with a code.
///
/// Exit codes, after sysexits.h: 0 stopped normally; 69 something required is missing; 70 a bug; 73 the state
/// cannot be opened (damaged, newer, full); 75 it already runs here; 77 permission denied; 78 wrong
/// configuration.
package enum ServiceMain {
    /// Runs a service until SIGTERM or SIGINT, and prints READY on standard output when it is ready.
    package static func run<Program: ServiceProgram>(_ program: Program.Type) -> Never {
        let name = Program.name.rawValue
        run(name) { configuration throws(ServiceError) in
            let service = try Program(configuration)
            try service.start()
            let signals = try SignalDescriptor([SIGTERM, SIGINT])
            signals.watch { [weak service] _ in service?.service.stop() }
            Self.signals = signals
            print("READY \(name)")
            fflush(nil)
        }
    }

    /// Never released: the process ends with the service.
    @LoopActor private static var signals: SignalDescriptor?

    /// - Parameter takesArguments: if false, any argument is refused, so that `--help` does not start a
    ///   service.
    package static func run(
        _ name: String, takesArguments: Bool = false,
        _ start: @escaping @LoopActor (Configuration) throws(ServiceError) -> Void
    ) -> Never {
        if !takesArguments, CommandLine.arguments.count > 1 {
            fail(
                name,
                ServiceError(
                    .invalidArgument, "unknown argument '\(CommandLine.arguments[1])'",
                    remedy: "Services take none; the environment configures them, see deploy/README.md."))
        }
        signal(SIGPIPE, SIG_IGN)
        // A write beyond the file size limit (RLIMIT_FSIZE) then fails instead of killing the process.
        signal(SIGXFSZ, SIG_IGN)
        umask(0o077)
        raiseDescriptorLimit()
        // Before any thread starts: a thread without this mask would receive the signal and end the process.
        SignalDescriptor.block([SIGTERM, SIGINT])
        Reactor.run {
            do throws(ServiceError) {
                let configuration = try Configuration(environment: Configuration.processEnvironment)
                do throws(ServiceError) { try start(configuration) } catch {
                    throw DamagedStore.withRemedy(error, name, in: configuration.stateDirectory)
                }
                returnMemory()
            } catch {
                fail(name, error)
            }
        }
        exit(0)
    }

    /// Returns to the kernel what only the start and the first answers of others needed. By itself malloc
    /// returns just the end of its heap, and a service then waits for days.
    @LoopActor private static func returnMemory() {
        EventLoop.main.after(5_000) { malloc_trim(0) }
    }

    /// Each connection needs a descriptor, and the usual soft limit of 1,024 exists for select(2), which is
    /// not used here. If it cannot be raised, the number of connections is limited instead
    /// (`accept_limit.h`).
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Prints the error and its remedy, and exits.
    package static func fail(_ name: String, _ error: ServiceError) -> Never {
        let sentence = VisibleText.escaped("\(name): \(error.message). \(error.remedy)")
        let text = Array((sentence + "\n").utf8)
        // Standard error may be closed; the exit code still reports the failure.
        _ = write(STDERR_FILENO, text, text.count)
        exit(exitCode(error.name))
    }

    /// The exit code for an error; see the list above.
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
