import Bus
import Contract

/// Observations not yet acknowledged, in order. Nothing is merged: each visit, however short, is told.
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

    /// Appends. Over the limit the oldest sign of life goes, else the oldest of all.
    /// - Returns: what had to go.
    mutating func append(_ entry: Entry) -> Observation? {
        entries.append(entry)
        guard entries.count > entriesMax else { return nil }
        let index = entries.firstIndex { $0.observation.kind == .alive } ?? 0
        return entries.remove(at: index).observation
    }

    /// The oldest, for one request; they stay until they are acknowledged.
    func batch(_ countMax: Int) -> ArraySlice<Entry> { entries.prefix(countMax) }

    /// Forgets those of `batch` that are still here: some may have had to go meanwhile.
    mutating func remove(_ batch: some Sequence<Entry>) {
        for entry in batch {
            guard entries.first?.observation == entry.observation else { continue }
            entries.removeFirst()
        }
    }
}
