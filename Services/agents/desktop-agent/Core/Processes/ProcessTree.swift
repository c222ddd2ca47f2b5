import ProcessEvents

/// Finds all processes of an app, starting with those that own its windows.
///
/// A process belongs to the app if a member is its parent, or forked it or one of its ancestors since this
/// object was created (`Lineage`), or leads its session, or is the first in its app scope (cgroup). For one
/// thread. Poll `overflowDescriptor` for errors only, and call `drain` when it has one.
package final class ProcessTree {
    private let listener: ForkListener?
    private var lineage: Lineage
    /// Number of remembered processes at which those that exited are sought and removed.
    private var sweepAt: Int
    private let cgroups: CgroupTree
    /// A sweep costs a scan, which many forks must share.
    private static func sweep(after lineage: Lineage) -> Int { 2 * lineage.count + 500 }
    /// Why forks are not followed, for `doctor`; nil if they are.
    package let lineageProblem: String?

    /// - Parameters:
    ///   - receiveBytes: size of the kernel's buffer between two drains; default 4 MiB.
    package init(cgroups: CgroupTree = CgroupTree(), receiveBytes: Int32? = nil) {
        self.cgroups = cgroups
        do throws(ForkListenerError) {
            listener = try ForkListener(receiveBytes: receiveBytes ?? ForkListener.receiveBytes)
            lineageProblem = nil
        } catch {
            listener = nil
            lineageProblem = error.text
        }
        // After the listener: a fork in between is then both reported and scanned, never missed.
        lineage = Lineage(listener == nil ? ProcessTable(records: []) : .scan())
        sweepAt = Self.sweep(after: lineage)
    }

    /// Has an error condition when so many reports of forks wait that they should be read; nil if forks are
    /// not followed. This object owns it.
    package var overflowDescriptor: Int32? { listener?.overflowDescriptor }

    /// Number of remembered processes, for `doctor` and tests.
    package var rememberedProcesses: Int { lineage.count }

    /// Handles the waiting reports. Returns true if some were lost (a storm of forks): the tree was then
    /// rebuilt from a scan, and daemons created in the gap may be missing.
    @discardableResult package func drain() -> Bool {
        guard let listener else { return false }
        var lost = listener.drain { lineage.forked($0) }
        guard lost || lineage.count > sweepAt else { return false }
        let table = ProcessTable.scan()
        let ended = lineage.ended(in: table)
        // What those forked before they exited is reported by now.
        if listener.drain({ lineage.forked($0) }) { lost = true }
        lineage.remove(ended)
        lineage.complete(with: table)
        sweepAt = Self.sweep(after: lineage)
        return lost
    }

    /// Remembers these processes even after their exit, while a descendant lives. `members` does so for its
    /// roots.
    package func track(_ roots: Set<ProcessIdentity>) {
        drain()  // Its own fork may be among the waiting reports.
        for root in roots { lineage.track(root) }
    }

    /// All living processes of the app of `roots`, parents before children.
    /// - Parameters:
    ///   - passes: false for a process whose descendants do not count (a window manager owns a window and is
    ///     the parent of every app). The process itself is included.
    package func members(
        of roots: Set<ProcessIdentity>, in table: ProcessTable? = nil,
        passes: (ProcessRecord) -> Bool = { _ in true }
    ) -> [ProcessRecord] {
        track(roots)
        let table = table ?? .scan()
        var search = MemberSearch(table: table, cgroups: cgroups)
        drain()  // Records the creators of processes forked during the scan.
        for root in roots.sorted(by: { $0.startTime_ticks < $1.startTime_ticks }) {
            if table.records[root.pid]?.identity == root { search.add(root.pid) }
        }
        // Each round may find new creators: a daemon of a session member, and so on.
        var known = -1
        while known != search.found.count {
            known = search.found.count
            search.spread(passes)
            let makers = roots.union(search.found.map(\.identity))
            let made = lineage.descendants(of: makers) { pid in table.records[pid].map(passes) ?? true }
            for pid in made { search.add(pid) }
        }
        return search.found
    }

    /// The pids of `makers` and of their living descendants, by parents and forks alone.
    /// - Parameter passes: as for ``members(of:in:passes:)``.
    func descendants(
        of makers: Set<ProcessIdentity>, in table: ProcessTable, passes: (ProcessRecord) -> Bool
    ) -> Set<Int32> {
        guard !makers.isEmpty else { return [] }
        drain()
        var search = MemberSearch(table: table, cgroups: cgroups, byKinship: true)
        for maker in makers where table.records[maker.pid]?.identity == maker { search.add(maker.pid) }
        var known = -1
        while known != search.found.count {
            known = search.found.count
            search.spread(passes)
            let found = Set(search.found.filter(passes).map(\.identity))
            for pid in lineage.descendants(of: found, passes: { table.records[$0].map(passes) ?? true }) {
                search.add(pid)
            }
        }
        return Set(search.found.map(\.pid))
    }

    /// The living descendants of `makers` by lineage alone, without a scan, for processes that fork faster
    /// than a scan. `isQuiet` is false if one exited meanwhile: repeat.
    func forkedSince(
        _ makers: Set<ProcessIdentity>, passes: (ProcessRecord) -> Bool
    ) -> (records: [ProcessRecord], isQuiet: Bool) {
        guard listener != nil else { return ([], true) }
        drain()
        var records: [ProcessRecord] = []
        var ended: [Lineage.Remembered] = []
        _ = lineage.descendants(of: makers) { pid in
            guard let record = ProcessRecord(pid: pid), !record.isDead else {
                if let one = lineage.remembered(pid) { ended.append(one) }
                return true
            }
            records.append(record)
            return passes(record)
        }
        // What those forked before they exited is reported by now.
        drain()
        lineage.remove(ended)
        return (records, ended.isEmpty)
    }
}

/// One search for the members of an app in one table.
struct MemberSearch {
    private let table: ProcessTable
    private let cgroups: CgroupTree
    private let children: [Int32: [Int32]]
    private let sessions: [Int32: [Int32]]
    /// Whether neither sessions nor scopes count.
    private let byKinship: Bool
    private var groupsSeen: Set<String> = []
    private var pids: Set<Int32> = []
    private var next = 0
    private(set) var found: [ProcessRecord] = []

    init(table: ProcessTable, cgroups: CgroupTree, byKinship: Bool = false) {
        self.byKinship = byKinship
        self.table = table
        self.cgroups = cgroups
        let living = table.records.values.filter { !$0.isDead }
        children = Dictionary(grouping: living, by: \.parentPid).mapValues { $0.map(\.pid) }
        sessions = Dictionary(grouping: living, by: \.session).mapValues { $0.map(\.pid) }
    }

    mutating func add(_ pid: Int32) {
        guard let record = table.records[pid], !record.isDead, pids.insert(pid).inserted else { return }
        found.append(record)
    }

    /// Follows parents, sessions and scopes from every member that was not followed yet.
    mutating func spread(_ passes: (ProcessRecord) -> Bool) {
        while next < found.count {
            let record = found[next]
            next += 1
            guard passes(record) else { continue }
            for pid in children[record.pid] ?? [] { add(pid) }
            guard !byKinship else { continue }
            if record.session == record.pid { for pid in sessions[record.pid] ?? [] { add(pid) } }
            addScope(of: record)
        }
    }

    /// Adds the other processes of the app scope that `record` started. A scope started by another app (a
    /// browser started from a terminal is in the terminal's scope) is not followed.
    private mutating func addScope(of record: ProcessRecord) {
        guard let group = cgroups.group(of: record.pid), CgroupTree.isAppScope(group),
            !groupsSeen.contains(group)
        else { return }
        let others = cgroups.members(of: group).compactMap { table.records[$0] }.filter { !$0.isDead }
        let first = others.min { $0.identity.startTime_ticks < $1.identity.startTime_ticks }
        guard let first, first.identity.startTime_ticks >= record.identity.startTime_ticks else { return }
        groupsSeen.insert(group)
        for other in others { add(other.pid) }
    }
}
