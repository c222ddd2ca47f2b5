import Contract
import Rules

/// Uses and marks of one subject on one device, as they go into `usage.recorded`.
struct SubjectRows {
    var uses: [TimeRange] = []
    var pickups: [Int64] = []
    var notifications: [Int64] = []

    /// Roughly the bytes of one use and one mark in JSON.
    private static let useBytes = 52
    private static let markBytes = 15
    /// Bytes of rows in one event; with the rest it stays below 200 KB.
    private static let bytesMax = 160_000

    var isEmpty: Bool { uses.isEmpty && pickups.isEmpty && notifications.isEmpty }

    mutating func add(_ mark: Mark, times count: Int = 1) {
        switch mark.kind {
        case .pickup: pickups.append(contentsOf: repeatElement(mark.at_ms, count: count))
        case .notification: notifications.append(contentsOf: repeatElement(mark.at_ms, count: count))
        }
    }

    mutating func sort() {
        uses.sort()
        pickups.sort()
        notifications.sort()
    }

    /// Adds what is not settled yet, as far as it begins in [from_ms, to_ms).
    mutating func add(_ part: Tail.Part?, from from_ms: Int64, to to_ms: Int64) {
        let range = from_ms..<max(from_ms, to_ms)
        if let use = part?.provisional, range.contains(use.start_ms) { uses.append(use) }
        if let pickup_ms = part?.pickup_ms, range.contains(pickup_ms) { pickups.append(pickup_ms) }
    }

    /// `event` with these rows, sorted, in as many events as their size asks for; each replaces its own part
    /// of the range.
    func events(_ event: UsageRecorded) -> [UsageRecorded] {
        var events: [UsageRecorded] = []
        var from_ms = event.fromMs
        for to_ms in cuts + [event.toMs] {
            var part = event
            part.fromMs = from_ms
            part.toMs = to_ms
            let isLast = to_ms == event.toMs
            let from = from_ms
            func inside(_ at_ms: Int64) -> Bool { at_ms >= from && (isLast || at_ms < to_ms) }
            part.intervals = uses.filter { inside($0.start_ms) }.map(\.interval)
            part.pickups = pickups.filter(inside)
            part.notifications = notifications.filter(inside)
            events.append(part)
            from_ms = to_ms
        }
        return events
    }

    /// Where to cut: what begins at one instant stays together.
    private var cuts: [Int64] {
        guard
            uses.count * Self.useBytes + (pickups.count + notifications.count) * Self.markBytes
                > Self.bytesMax
        else { return [] }
        var items = uses.map { ($0.start_ms, Self.useBytes) }
        items += (pickups + notifications).map { ($0, Self.markBytes) }
        items.sort { $0.0 < $1.0 }
        var cuts: [Int64] = []
        var room = Self.bytesMax
        var previous_ms: Int64?
        for (at_ms, bytes) in items {
            if bytes > room && at_ms != previous_ms {
                cuts.append(at_ms)
                room = Self.bytesMax
            }
            room -= bytes
            previous_ms = at_ms
        }
        return cuts
    }
}
