import CPosix
import Glibc
import Loop

/// Notices that a program of a shielded app is started, without polling: the kernel opens a file to execute
/// it (IN_OPEN of inotify(7)). Whoever else opens one is taken for a start, too.
@LoopActor final class StartWatch {
    private var watch: (paths: PathWatch, token: Reactor.Token)?
    private let started: @LoopActor () -> Void

    /// - Parameter started: called once for all starts that are read together.
    init(started: @escaping @LoopActor () -> Void) { self.started = started }

    /// Watches these programs only.
    func set(_ programs: Set<String>) {
        if watch == nil, !programs.isEmpty { open() }
        watch?.paths.set(programs)
    }

    func close() {
        if let watch { Reactor.shared.forget(watch.token) }
        watch = nil
    }

    /// Without an instance of inotify covers are only not prepared.
    private func open() {
        guard let paths = PathWatch(IN_OPEN) else { return }
        let token = Reactor.shared.watch(descriptor: paths.fileDescriptor) { [weak self] in
            if self?.watch?.paths.drain() == true { self?.started() }
        }
        watch = (paths, token)
    }

    /// Programs that are watched at most.
    static let programsMax = 512

    /// The file of a program that Exec names without a path: the first in PATH.
    static func path(of program: String) -> String? {
        guard !program.contains("/") else { return program }
        let places = getenv("PATH").map { String(cString: $0) } ?? ""
        return places.split(separator: ":").lazy.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }
}
