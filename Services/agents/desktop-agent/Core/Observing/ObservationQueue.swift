import Bus
import Contract

/// Unacknowledged observations in order. Nothing is merged: every visit is reported, however short.
struct ObservationQueue {
    struct Entry {
        var observation: Observation
        var trace: TraceContext
    }

    private(set) var entries: [Entry] = []
    private let entriesMax: Int

    init(entriesMax: Int = AgentLimits.observationsMax) { self.entriesMax = entriesMax }

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    /// Appends an entry. Over the limit the oldest heartbeat is dropped, or else the oldest entry.
    /// - Returns: the dropped observation.
    mutating func append(_ entry: Entry) -> Observation? {
        entries.append(entry)
        guard entries.count > entriesMax else { return nil }
        let index = entries.firstIndex { $0.observation.kind == .alive } ?? 0
        return entries.remove(at: index).observation
    }

    /// The oldest entries for one request; they stay until acknowledged.
    func batch(_ countMax: Int) -> ArraySlice<Entry> { entries.prefix(countMax) }

    /// Removes acknowledged entries that are still in the queue; some may have been dropped.
    mutating func remove(_ batch: some Sequence<Entry>) {
        for entry in batch {
            guard entries.first?.observation == entry.observation else { continue }
            entries.removeFirst()
        }
    }
}
