import Bus
import Contract

/// Who holds the lock of one of our programs. Anybody can take a free lock (`flock FILE PROGRAM`), so the
/// holder is believed to be that program only if it runs from our own directory.
enum LockHolder {
    case ours(pid: Int32)
    /// A sentence.
    case stranger(String)

    /// Nil if nobody holds it.
    init?(of name: String, in runtime: RuntimeDirectory, _ locks: LockTable = LockTable()) {
        let holder = locks.holder(of: runtime.lockPath(named: name))
        guard let pid = holder.flatMap({ Int32(exactly: $0) }) else { return nil }
        let program = ProcessFacts.executablePath(pid)
        if program == DetachedProcess.path(of: name) {
            self = .ours(pid: pid)
        } else {
            let path = VisibleText.escaped(program ?? "an unknown program")
            self = .stranger("the lock of \(name) is held by another program (pid \(pid), \(path))")
        }
    }
}
