import CPosix
import Glibc
import Loop

/// Has ``PictureProgram`` decode files, each in a child process.
@LoopActor enum PictureDecoder {
    typealias End = @LoopActor (Result<Pixels, PictureCheck.Refusal>) -> Void

    /// - Parameter end: called later, once.
    static func decode(_ file: PictureFile, _ end: @escaping End) {
        do throws(PictureCheck.Refusal) {
            try Run(file, end).start()
        } catch {
            EventLoop.main.inNextTurn { end(.failure(error)) }
        }
    }

    /// One child. Its own watch keeps it alive until the child ended.
    @LoopActor private final class Run {
        private let end: End
        private let kind: PictureFile.Kind
        private let input: Int32
        private let output: Int32
        private var watch: Reactor.Token?
        private var deadline: TimerToken?
        private var isOverdue = false

        /// Both files are in memory, so that nothing here waits for the child.
        init(_ file: PictureFile, _ end: @escaping End) throws(PictureCheck.Refusal) {
            self.end = end
            kind = file.kind
            input = memfd_create("picture", Self.closedByExec)
            output = memfd_create("pixels", Self.closedByExec)
            let written = file.bytes.withUnsafeBytes { pwrite(input, $0.baseAddress, $0.count, 0) }
            guard output >= 0, written == file.bytes.count else { throw Self.cannot(errno) }
        }

        /// MFD_CLOEXEC of linux/memfd.h.
        private static let closedByExec: UInt32 = 1

        private static func cannot(_ code: Int32) -> PictureCheck.Refusal {
            PictureCheck.Refusal(
                reason: "the process that decodes it cannot be started: \(String(cString: strerror(code)))")
        }

        deinit { for descriptor in [input, output] where descriptor >= 0 { close(descriptor) } }

        func start() throws(PictureCheck.Refusal) {
            let child = try spawn()
            let descriptor = pidfd_open(child, 0)
            guard descriptor >= 0 else {
                let failure = errno
                kill(child, SIGKILL)
                waitpid(child, nil, 0)
                throw Self.cannot(failure)
            }
            watch = Reactor.shared.watch(descriptor: descriptor) { [self] in
                if let watch { Reactor.shared.forget(watch) }
                close(descriptor)
                ended(child)
            }
            // Not reaped before `ended`, so that the id is still the child's.
            deadline = EventLoop.main.after(CoverLimits.pictureWait) { [weak self] in
                self?.isOverdue = true
                kill(child, SIGKILL)
            }
        }

        private func spawn() throws(PictureCheck.Refusal) -> pid_t {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
            let words = ["shield-cover", PictureProgram.word, kind.rawValue]
            let argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
            defer { for word in argv { free(word) } }
            var child: pid_t = 0
            let failure = posix_spawn(&child, "/proc/self/exe", &actions, nil, argv, environ)
            guard failure == 0 else { throw Self.cannot(failure) }
            return child
        }

        private func ended(_ child: pid_t) {
            if let deadline { EventLoop.main.cancel(deadline) }
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            if isOverdue || status & 0x7F == SIGPROF {
                let time = isOverdue ? "\(CoverLimits.pictureWait.count) ms"
                    : "\(CoverLimits.pictureTime.count) ms of a processor"
                return end(.failure(PictureCheck.Refusal(reason: "it takes more than \(time) to draw")))
            }
            guard status == 0, let pixels = Pixels(encoded: read()) else {
                let reason = "its file cannot be read or needs too much memory, or a library is not installed"
                return end(.failure(PictureCheck.Refusal(reason: reason)))
            }
            end(.success(pixels))
        }

        private func read() -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: Pixels.bytesMax) { buffer, count in
                count = max(0, pread(output, buffer.baseAddress, buffer.count, 0))
            }
        }
    }
}
