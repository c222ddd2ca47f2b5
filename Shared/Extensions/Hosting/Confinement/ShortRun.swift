internal import CPosix
import Glibc
import Units

/// Runs a program until it ends or the deadline passes, and captures its output.
enum ShortRun {
    /// - Returns: the exit code (-1 if it did not start, or was killed), and the lines of both outputs.
    static func run(_ words: [String], deadline: Milliseconds) -> (status: Int32, lines: [String]) {
        guard let ends = pipeEnds() else { return (-1, [String(cString: strerror(errno))]) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        let argv = words.map { strdup($0) } + [nil]
        let envp = [strdup("PATH=/usr/bin:/bin"), nil]
        defer { (argv + envp).forEach { free($0) } }
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, words[0], &actions, nil, argv, envp)
        close(ends[1])
        guard failure == 0 else { return (-1, [String(cString: strerror(failure))]) }
        let text = read(ends[0], deadline)
        if text == nil { kill(pid, SIGKILL) }
        var raw: Int32 = 0
        while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
        let lines = (text ?? "it did not end within \(deadline) ms").split(separator: "\n").map(String.init)
        return (raw & 0x7f == 0 && text != nil ? (raw >> 8) & 0xff : -1, lines)
    }

    /// Everything up to the end; nil if the end did not come in time.
    private static func read(_ descriptor: Int32, _ deadline: Milliseconds) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < 64 * 1_024 {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wait, 1, Int32(clamping: deadline.count))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A close-on-exec pipe: the ends for reading and writing. Nil on failure, with errno set.
func pipeEnds() -> [Int32]? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    // Only this thread starts programs, so none can start in between.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
}
