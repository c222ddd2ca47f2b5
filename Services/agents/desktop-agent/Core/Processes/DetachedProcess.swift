import CPosix
import Glibc

/// Starts a program of this project in a session of its own, so that Ctrl-C in a terminal and the end of its
/// starter do not reach it.
enum DetachedProcess {
    /// Where the program's standard input and output lead: a descriptor, or nothing.
    struct Streams {
        var input: Int32?
        var output: Int32?
    }

    /// The program of this name in the directory of this one.
    static func path(of name: String) -> String {
        ProcessFacts.directory(ProcessFacts.executablePath(getpid()) ?? "") + "/" + name
    }

    /// Starts the program beside this one, with this process's environment and no signal blocked.
    /// - Returns: the pid, which the caller must wait for; or the errno.
    static func start(
        _ name: String, arguments: [String] = [], _ streams: Streams = Streams()
    ) -> (pid: Int32, failure: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, source) in [(STDIN_FILENO, streams.input), (STDOUT_FILENO, streams.output)] {
            if let source {
                posix_spawn_file_actions_adddup2(&actions, source, target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
            }
        }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | setSession)
        // Its command line has no directory, so that ending processes by a pattern of one does not match it.
        let argv = ([name] + arguments).map { strdup($0) } + [nil]
        defer { for word in argv { free(word) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, path(of: name), &actions, &attributes, argv, environ)
        return (child, failure)
    }

    /// POSIX_SPAWN_SETSID of spawn.h, which Swift does not import.
    private static let setSession: Int16 = 0x80
}
