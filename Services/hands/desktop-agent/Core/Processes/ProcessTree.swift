import ProcessEvents

/// Finds all processes of an app, beginning with those that own its windows.
///
/// A process belongs to the app when a member is its parent, or forked it or its forebears since this
/// object was made (`Lineage`), or leads its session, or is the first of the app scope (cgroup) it is in.
/// One thread only. Poll `fileDescriptor` and call `drain` when it is readable.
package final class ProcessTree {
    private let listener: ForkListener?
    private var lineage: Lineage
    private let cgroups: CgroupTree
    /// Why forks are not followed, for `doctor`; nil when they are.
    package let lineageProblem: String?

    /// - Parameters:
    ///   - receiveBytes: what the kernel keeps between two drains; default 4 MiB.
    package init(cgroups: CgroupTree = CgroupTree(), receiveBytes: Int32? = nil) {
        self.cgroups = cgroups
        do throws(ForkListenerError) {
            listener = try ForkListener(receiveBytes: receiveBytes ?? ForkListener.receiveBytes)
            lineageProblem = nil
        } catch {
            listener = nil
            lineageProblem = error.text
        }
        // After the listener: a fork between the two is reported and seen, not missed.
        lineage = Lineage(listener == nil ? ProcessTable(records: []) : .scan())
    }

    /// Readable when a process forked or ended; nil when forks are not followed. Owned by this object.
    package var fileDescriptor: Int32? { listener?.fileDescriptor }

    /// How many processes are remembered, for `doctor` and tests.
    package var rememberedProcesses: Int { lineage.count }

    /// Takes the reports that wait. Returns true when some were lost (a storm of forks): the tree was built
    /// anew from a scan, and daemons born in the gap may be missing.
    @discardableResult package func drain() -> Bool {
        guard let listener else { return false }
        let lost = listener.drain { event in
            switch event {
            case .forked(let parent, let child, let start_ticks):
                lineage.forked(parent: parent, child: child, at: start_ticks)
            case .exited(let pid): lineage.exited(pid)
            }
        }
        if lost { lineage.reconcile(with: .scan()) }
        return lost
    }

    /// Remembers these even after their end, while a descendant lives. Done by `members` for its roots.
    package func track(_ roots: Set<ProcessIdentity>) {
        drain()  // Its own fork may wait among the reports.
        for root in roots { lineage.track(root) }
    }

    /// All living processes of the app that `roots` belong to, parents before children.
    /// - Parameters:
    ///   - passes: false for a process that is no way to others (a window manager owns a window and is the
    ///     parent of every app). It is in the answer itself.
    package func members(
        of roots: Set<ProcessIdentity>, in table: ProcessTable? = nil,
        passes: (ProcessRecord) -> Bool = { _ in true }
    ) -> [ProcessRecord] {
        track(roots)
        let table = table ?? .scan()
        var search = MemberSearch(table: table, cgroups: cgroups)
        drain()  // What forked during the scan has its maker here.
        for root in roots.sorted(by: { $0.startTime_ticks < $1.startTime_ticks }) {
            if table.records[root.pid]?.identity == root { search.add(root.pid) }
        }
        // Each round may find new makers: a daemon of a session member, and so on.
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

    /// The living descendants of `makers` by lineage alone, without a scan: what a process that forks faster
    /// than a scan has become by now. `isQuiet` is false when one ended while we looked: look again.
    func bornSince(
        _ makers: Set<ProcessIdentity>, passes: (ProcessRecord) -> Bool
    ) -> (records: [ProcessRecord], isQuiet: Bool) {
        guard listener != nil else { return ([], true) }
        drain()
        var records: [ProcessRecord] = []
        var isQuiet = true
        _ = lineage.descendants(of: makers) { pid in
            guard let record = ProcessRecord(pid: pid), !record.isDead else {
                isQuiet = false
                return true
            }
            records.append(record)
            return passes(record)
        }
        return (records, isQuiet)
    }
}

/// One search for the members of an app in one table.
struct MemberSearch {
    private let table: ProcessTable
    private let cgroups: CgroupTree
    private let children: [Int32: [Int32]]
    private let sessions: [Int32: [Int32]]
    private var groupsSeen: Set<String> = []
    private var pids: Set<Int32> = []
    private var next = 0
    private(set) var found: [ProcessRecord] = []

    init(table: ProcessTable, cgroups: CgroupTree) {
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

    /// Follows parents, sessions and scopes from every member not yet followed.
    mutating func spread(_ passes: (ProcessRecord) -> Bool) {
        while next < found.count {
            let record = found[next]
            next += 1
            guard passes(record) else { continue }
            for pid in children[record.pid] ?? [] { add(pid) }
            if record.session == record.pid { for pid in sessions[record.pid] ?? [] { add(pid) } }
            addScope(of: record)
        }
    }

    /// The other processes of the app scope that `record` began. A scope begun by another app (a browser
    /// started from a terminal lives in the terminal's scope) is not followed.
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
