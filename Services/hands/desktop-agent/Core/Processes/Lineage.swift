import Glibc

/// Who forked whom, remembered beyond the kernel's own memory: when a parent ends, the kernel hands its
/// children to init, and a daemon (forked twice) is nobody's child any more. Here it stays its maker's.
///
/// Pure: it is fed with fork and exit events. It holds one node for each living process, and for each ended
/// one that is tracked and still has living descendants. When any other process ends, its children pass to
/// its parent, so that no chain grows however many generations come and go.
struct Lineage {
    private struct Node {
        let pid: Int32
        var start_ticks: UInt64
        /// True when the start is the kernel's own number; else it is the time of the fork event.
        var isExact: Bool
        var parent: Int?
        var children: Set<Int> = []
        var hasEnded = false
        var isTracked = false
    }

    /// How far the time of the fork event may be from the start time, in clock ticks (1 s): less than a pid
    /// needs to come round again.
    static let startTolerance_ticks: UInt64 = 100

    private var nodes: [Int: Node] = [:]
    private var current: [Int32: Int] = [:]
    private var nextKey = 0

    var count: Int { nodes.count }

    init(_ table: ProcessTable) { reconcile(with: table) }

    mutating func forked(parent: Int32, child: Int32, at start_ticks: UInt64) {
        exited(child)  // Its end was missed if it is still here.
        let parentKey = current[parent] ?? add(parent, start_ticks: start_ticks, isExact: false, parent: nil)
        add(child, start_ticks: start_ticks, isExact: false, parent: parentKey)
    }

    mutating func exited(_ pid: Int32) {
        guard let key = current.removeValue(forKey: pid) else { return }
        nodes[key]?.hasEnded = true
        removeIfUnneeded(key)
    }

    /// Keeps `identity` known after its end, for as long as a descendant of it lives.
    mutating func track(_ identity: ProcessIdentity) {
        guard let key = key(of: identity) else { return }
        nodes[key]?.isTracked = true
        nodes[key]?.start_ticks = identity.startTime_ticks
        nodes[key]?.isExact = true
    }

    /// The living descendants of `roots` (which may have ended, if tracked), parents before children.
    /// - Parameter passes: false for a process whose descendants do not count; it is in the answer itself.
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

    /// Brings the nodes in line with a full scan: at the start, and after events were lost. A process whose
    /// fork was lost becomes a child of its present parent.
    mutating func reconcile(with table: ProcessTable) {
        for (pid, key) in current {
            guard let node = nodes[key] else { continue }
            if let record = table.records[pid], matches(node, record.identity) { continue }
            exited(pid)
        }
        for record in table.records.values where current[record.pid] == nil && !record.isDead {
            add(record.pid, start_ticks: record.identity.startTime_ticks, isExact: true, parent: nil)
        }
        for record in table.records.values {
            guard let key = current[record.pid], nodes[key]?.parent == nil,
                let parentKey = current[record.parentPid], parentKey != key
            else { continue }
            nodes[key]?.parent = parentKey
            nodes[parentKey]?.children.insert(key)
        }
    }

    private func key(of identity: ProcessIdentity) -> Int? {
        guard let key = current[identity.pid], let node = nodes[key], matches(node, identity)
        else { return nil }
        return key
    }

    private func matches(_ node: Node, _ identity: ProcessIdentity) -> Bool {
        guard node.pid == identity.pid else { return false }
        let (low, high) = (
            min(node.start_ticks, identity.startTime_ticks), max(node.start_ticks, identity.startTime_ticks)
        )
        return node.isExact ? low == high : high - low <= Self.startTolerance_ticks
    }

    @discardableResult
    private mutating func add(_ pid: Int32, start_ticks: UInt64, isExact: Bool, parent: Int?) -> Int {
        let key = nextKey
        nextKey += 1
        nodes[key] = Node(pid: pid, start_ticks: start_ticks, isExact: isExact, parent: parent)
        current[pid] = key
        if let parent { nodes[parent]?.children.insert(key) }
        return key
    }

    /// Takes out an ended node that nobody needs, and hands its children to its parent.
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
