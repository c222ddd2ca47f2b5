import Contract
import Units

/// When something is due, and in which order at one instant.
struct DueKey: Comparable {
    let at: Instant
    /// The callback's place among those of one instant; `nil` comes before all: something becomes due then,
    /// and what it is has to be found out.
    let callback: CallbackName?

    static func < (left: DueKey, right: DueKey) -> Bool {
        if left.at != right.at { return left.at < right.at }
        guard let mine = left.callback else { return right.callback != nil }
        guard let theirs = right.callback else { return false }
        return mine < theirs
    }
}

/// Something that is due at some time.
class DueSource {
    fileprivate var key: DueKey?
    fileprivate var version: UInt32 = 0
}

/// All sources by what they have due next. An entry whose source has changed its mind stays until it comes
/// to the front, or until such entries are the most.
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

    /// Takes out all sources with this key; the caller sets their next one.
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
