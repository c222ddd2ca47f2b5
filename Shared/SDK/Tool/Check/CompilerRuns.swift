import CommandKit
import Contract
import Glibc

/// Runs a program several times in parallel, and returns all output of each run.
enum CompilerRuns {
    struct Ended {
        /// Exit status as in a shell: 128 + signal for a program that was ended by a signal.
        var status: Int32
        var output: String
    }

    /// Runs `program` once for each list of arguments, as many at a time as the machine has processors.
    /// - Parameter onEnd: called when each run ends, with the index of its arguments.
    /// - Throws: unavailable if the program cannot be started, or there is no place for its output.
    static func run(
        _ program: String, _ runs: [[String]], onEnd: (Int, Ended) -> Void
    ) throws(CommandError) {
        var running: [pid_t: (index: Int, output: Int32)] = [:]
        defer {
            for (pid, run) in running {
                kill(pid, SIGKILL)
                waitpid(pid, nil, 0)
                close(run.output)
            }
        }
        var next = 0
        let atOnce = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        while next < runs.count || !running.isEmpty {
            while running.count < atOnce, next < runs.count {
                let output = try outputFile()
                running[try start(program, runs[next], output)] = (next, output)
                next += 1
            }
            var raw: Int32 = 0
            let pid = waitpid(-1, &raw, 0)
            if pid < 0, errno == EINTR { continue }
            guard let run = running.removeValue(forKey: pid) else { continue }
            let status = raw & 0x7f == 0 ? (raw >> 8) & 0xff : 128 + (raw & 0x7f)
            onEnd(run.index, Ended(status: status, output: text(of: run.output)))
            close(run.output)
        }
    }

    /// An unlinked file, which ends with its descriptor.
    private static func outputFile() throws(CommandError) -> Int32 {
        let folder = ExtensionSdk.environment("TMPDIR") ?? "/tmp"
        var template = Array("\(folder)/screentime-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw CommandError(
                ExitCode.unavailable,
                "no file can be made in '\(folder)': \(String(cString: strerror(errno)))",
                remedy: "Name a folder that can be written in TMPDIR.")
        }
        unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private static func start(
        _ program: String, _ arguments: [String], _ output: Int32
    ) throws(CommandError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        let argv = ([program] + arguments).map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, program, &actions, nil, argv, environ)
        guard failure == 0 else {
            throw CommandError(
                ExitCode.unavailable, "'\(program)' cannot be started: \(String(cString: strerror(failure)))",
                remedy: "Name another swiftc in SCREENTIME_SWIFTC.")
        }
        return pid
    }

    private static func text(of descriptor: Int32) -> String {
        let size = max(0, Int(lseek(descriptor, 0, SEEK_END)))
        var bytes = [UInt8](repeating: 0, count: size)
        let count = pread(descriptor, &bytes, size, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
