import Contract
import Units

/// When something is due, with the order at one instant.
struct DueKey: Comparable {
    let at: Instant
    /// The callback, which determines the order at one instant. Nil sorts before all: something becomes due
    /// then that has to be determined first.
    let callback: CallbackName?

    static func < (left: DueKey, right: DueKey) -> Bool {
        if left.at != right.at { return left.at < right.at }
        guard let mine = left.callback else { return right.callback != nil }
        guard let theirs = right.callback else { return false }
        return mine < theirs
    }
}

/// Something with a due time.
class DueSource {
    fileprivate var key: DueKey?
    fileprivate var version: UInt32 = 0
}

/// All sources ordered by their next due time. An outdated entry of a source stays until it is first, or
/// until such entries are the majority.
struct DueQueue {
    private struct Entry: Comparable {
        let key: DueKey
        let source: DueSource
        let version: UInt32

        var isCurrent: Bool { source.version == version }

        static func < (left: Entry, right: Entry) -> Bool { left.key < right.key }
        static func == (left: Entry, right: Entry) -> Bool { left.key == right.key }
    }

    private var heap = Heap<Entry>()
    private var currentCount = 0

    /// Sets or removes the due time of a source.
    mutating func set(_ key: DueKey?, for source: DueSource) {
        guard source.key != key else { return }
        currentCount += (key == nil ? 0 : 1) - (source.key == nil ? 0 : 1)
        source.key = key
        source.version &+= 1
        guard let key else { return }
        heap.insert(Entry(key: key, source: source, version: source.version))
        if heap.count > 2 * currentCount + 64 { heap = Heap(heap.elements.filter(\.isCurrent)) }
    }

    /// The earliest key.
    mutating func next() -> DueKey? {
        while let first = heap.first {
            if first.isCurrent { return first.key }
            heap.removeFirst()
        }
        return nil
    }

    /// Removes and returns all sources with this key; the caller sets their next one.
    mutating func take(_ key: DueKey) -> [DueSource] {
        var sources: [DueSource] = []
        while next() == key {
            let entry = heap.removeFirst()
            entry.source.key = nil
            entry.source.version &+= 1
            currentCount -= 1
            sources.append(entry.source)
        }
        return sources
    }
}
