import ProcessEvents

/// Remembers who forked whom longer than the kernel does: when a parent exits, the kernel assigns its
/// children to init, so a daemon (forked twice) loses its origin. Here it keeps its creator.
///
/// It has no side effects and is fed with forks and, now and then, with a scan, which tells what has exited:
/// no report does. It contains one node for each living process, for each one that exited since the last
/// scan, and for each exited one that is tracked and has living descendants. When another process exits, its
/// children pass to its parent, so no chain grows over generations.
struct Lineage {
    private struct Node {
        let pid: Int32
        /// The kernel's own number is one value; otherwise it is the time of the report, as in `ForkEvent`.
        var start_ticks: ClosedRange<UInt64>
        /// Whether the start is the kernel's own number.
        var isExact: Bool
        var parent: Int?
        var children: Set<Int> = []
        var hasEnded = false
        var isTracked = false
    }

    /// Largest difference in clock ticks (1 s) between the time of the fork's report and the start time: less
    /// than the kernel needs to reuse a pid.
    static let startTolerance_ticks: UInt64 = 100

    private var nodes: [Int: Node] = [:]
    private var current: [Int32: Int] = [:]
    private var nextKey = 0

    var count: Int { nodes.count }

    init(_ table: ProcessTable) { reconcile(with: table) }

    mutating func forked(_ event: ForkEvent) {
        let parentKey =
            current[event.parent] ?? add(event.parent, event.start_ticks, isExact: false, parent: nil)
        // A scan may see a process before the report of its fork is read.
        if let key = current[event.child], let node = nodes[key], node.isExact,
            isNear(node.start_ticks.lowerBound, event.start_ticks) {
            adopt(key, by: parentKey)
            return
        }
        exited(event.child)  // The process that had this id before.
        add(event.child, event.start_ticks, isExact: false, parent: parentKey)
    }

    mutating func exited(_ pid: Int32) {
        guard let key = current.removeValue(forKey: pid) else { return }
        nodes[key]?.hasEnded = true
        removeIfUnneeded(key)
    }

    /// One remembered process, whatever its id is used for later.
    struct Remembered: Hashable {
        fileprivate let pid: Int32
        fileprivate let key: Int
    }

    /// The process that has this id now, as far as it is known.
    func remembered(_ pid: Int32) -> Remembered? { current[pid].map { Remembered(pid: pid, key: $0) } }

    /// Removes processes that were found to have exited. Before that, read the reports that wait: a report of
    /// a child is sent before its creator exits, and links the child to a creator that is still here.
    mutating func remove(_ ended: [Remembered]) {
        for one in ended where current[one.pid] == one.key { exited(one.pid) }
    }

    /// Keeps `identity` after its exit while one of its descendants lives.
    mutating func track(_ identity: ProcessIdentity) {
        guard let key = key(of: identity) else { return }
        nodes[key]?.isTracked = true
        nodes[key]?.start_ticks = identity.startTime_ticks...identity.startTime_ticks
        nodes[key]?.isExact = true
    }

    /// The descendants of `roots` (which may have exited, if tracked), parents before children, with those
    /// that exited unnoticed.
    /// - Parameter passes: false for a process whose descendants do not count; the process itself is
    ///   included.
    func descendants(of roots: Set<ProcessIdentity>, passes: (Int32) -> Bool) -> [Int32] {
        var queue = roots.compactMap { key(of: $0) }
        for (key, node) in nodes where node.hasEnded && roots.contains(where: { matches(node, $0) }) {
            queue.append(key)
        }
        var found: [Int32] = []
        var seen = Set(queue)
        var next = 0
        while next < queue.count {
            defer { next += 1 }
            guard let node = nodes[queue[next]] else { continue }
            if !node.hasEnded { found.append(node.pid) }
            if !node.hasEnded, !passes(node.pid) { continue }
            for child in node.children where seen.insert(child).inserted { queue.append(child) }
        }
        return found
    }

    /// Updates the nodes from a full scan: at the start, when many were added, and after reports were lost. A
    /// process whose report was lost becomes a child of its present parent.
    mutating func reconcile(with table: ProcessTable) {
        remove(ended(in: table))
        complete(with: table)
    }

    /// The processes that a scan does not have any more.
    func ended(in table: ProcessTable) -> [Remembered] {
        current.compactMap { pid, key in
            guard let node = nodes[key] else { return nil }
            if let record = table.records[pid], matches(node, record.identity) { return nil }
            return Remembered(pid: pid, key: key)
        }
    }

    /// Adds what only the scan has.
    mutating func complete(with table: ProcessTable) {
        for record in table.records.values where current[record.pid] == nil && !record.isDead {
            let start_ticks = record.identity.startTime_ticks
            add(record.pid, start_ticks...start_ticks, isExact: true, parent: nil)
        }
        for record in table.records.values {
            guard let key = current[record.pid], nodes[key]?.parent == nil,
                let parentKey = current[record.parentPid], parentKey != key
            else { continue }
            adopt(key, by: parentKey)
        }
        for (key, node) in nodes where node.hasEnded { moveChildren(of: key, node, table) }
    }

    /// Where the report of the fork of a process with a reused id was lost, its children were taken for those
    /// of the process that had the id before. Moves those to it that began after it, or still have it as
    /// their parent.
    private mutating func moveChildren(of key: Int, _ node: Node, _ table: ProcessTable) {
        guard let record = table.records[node.pid], let successor = current[node.pid] else { return }
        let reused_ticks = record.identity.startTime_ticks
        for child in node.children {
            guard let other = nodes[child] else { continue }
            let isLater = other.start_ticks.lowerBound > reused_ticks + Self.startTolerance_ticks
            let isChildNow = !other.hasEnded && table.records[other.pid]?.parentPid == node.pid
            if isLater || isChildNow { adopt(child, by: successor) }
        }
        removeIfUnneeded(key)
    }

    private mutating func adopt(_ key: Int, by parentKey: Int) {
        if let before = nodes[key]?.parent { nodes[before]?.children.remove(key) }
        nodes[key]?.parent = parentKey
        nodes[parentKey]?.children.insert(key)
    }

    private func key(of identity: ProcessIdentity) -> Int? {
        guard let key = current[identity.pid], let node = nodes[key], matches(node, identity)
        else { return nil }
        return key
    }

    private func matches(_ node: Node, _ identity: ProcessIdentity) -> Bool {
        guard node.pid == identity.pid else { return false }
        let start_ticks = identity.startTime_ticks
        return node.isExact ? node.start_ticks.contains(start_ticks) : isNear(start_ticks, node.start_ticks)
    }

    private func isNear(_ start_ticks: UInt64, _ range: ClosedRange<UInt64>) -> Bool {
        start_ticks + Self.startTolerance_ticks >= range.lowerBound
            && start_ticks <= range.upperBound + Self.startTolerance_ticks
    }

    @discardableResult
    private mutating func add(
        _ pid: Int32, _ start_ticks: ClosedRange<UInt64>, isExact: Bool, parent: Int?
    ) -> Int {
        let key = nextKey
        nextKey += 1
        nodes[key] = Node(pid: pid, start_ticks: start_ticks, isExact: isExact, parent: parent)
        current[pid] = key
        if let parent { nodes[parent]?.children.insert(key) }
        return key
    }

    /// Removes an exited node that is no longer needed, and passes its children to its parent.
    private mutating func removeIfUnneeded(_ key: Int) {
        guard let node = nodes[key], node.hasEnded, !node.isTracked || node.children.isEmpty else { return }
        nodes[key] = nil
        for child in node.children { nodes[child]?.parent = node.parent }
        guard let parent = node.parent else { return }
        nodes[parent]?.children.remove(key)
        nodes[parent]?.children.formUnion(node.children)
        removeIfUnneeded(parent)
    }
}
