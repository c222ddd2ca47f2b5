import Contract
import Rules
import Units

/// Uses and marks of one subject on one device, in the form of `usage.recorded`.
struct SubjectRows {
    var uses: [TimeRange] = []
    var pickups: [Instant] = []
    var notifications: [Instant] = []

    /// Approximate bytes of one use and one mark in JSON.
    private static let useBytes = 52
    private static let markBytes = 15
    /// Bytes of rows in one event; the complete event stays below 200 KB.
    private static let bytesMax = 160_000

    var isEmpty: Bool { uses.isEmpty && pickups.isEmpty && notifications.isEmpty }

    mutating func add(_ mark: Mark, times count: Int = 1) {
        switch mark.kind {
        case .pickup: pickups.append(contentsOf: repeatElement(mark.at, count: count))
        case .notification: notifications.append(contentsOf: repeatElement(mark.at, count: count))
        }
    }

    mutating func sort() {
        uses.sort()
        pickups.sort()
        notifications.sort()
    }

    /// Adds unsettled use that begins in [from, to).
    mutating func add(_ part: Tail.Part?, from: Instant, to: Instant) {
        let range = from..<max(from, to)
        if let use = part?.provisional, range.contains(use.start) { uses.append(use) }
        if let pickup = part?.pickup, range.contains(pickup) { pickups.append(pickup) }
    }

    /// `event` with these rows, sorted and split into as many events as their size requires; each replaces
    /// its own part of the range.
    func events(_ event: UsageRecorded) -> [UsageRecorded] {
        var events: [UsageRecorded] = []
        var from = event.from
        for to in cuts + [event.to] {
            var part = event
            part.from = from
            part.to = to
            let isLast = to == event.to
            let begin = from
            func inside(_ at: Instant) -> Bool { at >= begin && (isLast || at < to) }
            part.intervals = uses.filter { inside($0.start) }.map(\.interval)
            part.pickups = pickups.filter(inside)
            part.notifications = notifications.filter(inside)
            events.append(part)
            from = to
        }
        return events
    }

    /// Where to split: rows that begin at the same instant stay together.
    private var cuts: [Instant] {
        guard
            uses.count * Self.useBytes + (pickups.count + notifications.count) * Self.markBytes
                > Self.bytesMax
        else { return [] }
        var items = uses.map { ($0.start, Self.useBytes) }
        items += (pickups + notifications).map { ($0, Self.markBytes) }
        items.sort { $0.0 < $1.0 }
        var cuts: [Instant] = []
        var room = Self.bytesMax
        var previous: Instant?
        for (at, bytes) in items {
            if bytes > room && at != previous {
                cuts.append(at)
                room = Self.bytesMax
            }
            room -= bytes
            previous = at
        }
        return cuts
    }
}
