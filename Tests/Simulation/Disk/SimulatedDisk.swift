package import Units

/// A disk in memory for the simulated processes of one thread.
///
/// Each file has the content that processes read, and that which survives a power cut; so have the names in
/// each directory. What happens is decided from outside: by a plan of faults, by the seed of a power cut, and
/// by the clock and the random numbers that the disk was given. It begins empty.
package final class SimulatedDisk {
    /// Decides before each operation whether it fails; nil lets it happen. It may itself cut the power or end
    /// a process; then the operation fails.
    package var fault: ((DiskOperation) -> DiskFault?)?
    /// Called with its owner when a process died by `DiskFault.dieBefore` or `dieAfter`: nothing of it may
    /// run any more.
    package var died: ((String) -> Void)?
    /// What living processes asked for so far.
    package private(set) var counts = DiskCounts()

    /// `DiskOperation.path` of SQLite's temporary files, which have no name.
    package static let temporaryName = "(temporary)"

    var directory = Directory()
    let now: () -> Instant
    var random: Draws
    private var processes: [String: WeakProcess] = [:]

    private struct WeakProcess {
        weak var process: SimulatedProcess?
    }

    /// Random numbers from outside.
    struct Draws: RandomNumberGenerator {
        let draw: () -> UInt64
        func next() -> UInt64 { draw() }
    }

    /// An empty disk.
    /// - Parameters:
    ///   - now: the time that SQLite sees.
    ///   - random: decides what a failed sync loses, and makes the random bytes of SQLite's VFS (not those of
    ///     the write-ahead log; see ``seedSQLite(_:)``).
    package init(now: @escaping () -> Instant, random: @escaping () -> UInt64) {
        self.now = now
        self.random = Draws(draw: random)
    }

    /// The disk for one process. A process that died begins a new life with the next call.
    package func files(of owner: String) -> SimulatedFiles {
        if let process = processes[owner]?.process, !process.isDead { return SimulatedFiles(process) }
        let process = SimulatedProcess(owner, on: self)
        processes[owner] = WeakProcess(process: process)
        return SimulatedFiles(process)
    }

    /// A process was killed: what it wrote stays, its locks are released, and its open files, also those of
    /// SQLite, fail from now on and change nothing. Does nothing if it has no life.
    package func processDied(_ owner: String) {
        processes.removeValue(forKey: owner)?.process?.die()
    }

    /// The power fails: all processes die, and a random part of what was not synced is lost, by sectors.
    package func powerCut(using random: inout some RandomNumberGenerator) {
        for owner in processes.keys.sorted() { processDied(owner) }
        directory.cutPower(using: &random)
    }

    func count(_ kind: DiskOperation.Kind, bytes: Int) { counts.add(kind, bytes: bytes) }
}
