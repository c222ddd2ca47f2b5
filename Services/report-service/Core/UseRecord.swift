import Rules
import Units

/// A quarter-hour of UTC, counted from 1970.
enum Quarter {
    static let length: Milliseconds = 900_000

    static func holding(_ instant: Instant) -> Int64 {
        instant.sinceEpoch.flooredQuotient(length)
    }

    /// The first complete quarter at or after the instant.
    static func after(_ instant: Instant) -> Int64 {
        let quarter = holding(instant)
        return start(quarter) == instant ? quarter : quarter + 1
    }

    static func start(_ quarter: Int64) -> Instant { Instant(quarter * length) }
}

/// An hour of UTC, counted from 1970.
enum Hour {
    /// Number of quarters in it.
    static let quarters: Int64 = 4

    /// The hour of a quarter.
    static func holding(quarter: Int64) -> Int64 { quarter >> 2 }

    static func start(_ hour: Int64) -> Instant { Instant(hour * Milliseconds.hour) }

    /// The first complete hour at or after the start of a quarter.
    static func after(quarter: Int64) -> Int64 { (quarter + quarters - 1) >> 2 }
}

/// One use or mark of a series, as stored in a quarter.
struct UseRecord: Hashable {
    enum Kind: Int64 {
        case use = 0
        case pickup = 1
        case notification = 2
    }

    var kind: Kind
    var series: Int
    var at: Instant
    /// Length of a use in milliseconds, or number of marks.
    var amount: Int64

    var end: Instant { kind == .use ? at + Milliseconds(amount) : at }

    var mark: Mark.Kind? {
        switch kind {
        case .use: nil
        case .pickup: .pickup
        case .notification: .notification
        }
    }
}

extension UseRecord: Comparable {
    static func < (left: UseRecord, right: UseRecord) -> Bool {
        (left.at, left.series, left.kind.rawValue) < (right.at, right.series, right.kind.rawValue)
    }
}

/// Encodes the records of one quarter: series and kind, offset in the quarter, amount.
enum UseRecords {
    static func packed(_ records: [UseRecord], from start: Instant) -> [UInt8] {
        var writer = PackedWriter()
        for record in records {
            writer.number(Int64(record.series) << 2 | record.kind.rawValue)
            writer.number(record.at - start)
            writer.number(record.amount)
        }
        return writer.bytes
    }

    static func unpacked(
        _ bytes: UnsafeRawBufferPointer, from start: Instant
    ) throws(PackedReader.Damaged) -> [UseRecord] {
        var reader = PackedReader(bytes)
        var records: [UseRecord] = []
        records.reserveCapacity(bytes.count / 6)
        while !reader.isAtEnd {
            let head = try reader.number()
            guard let kind = UseRecord.Kind(rawValue: head & 3) else { throw PackedReader.Damaged() }
            let at = start + (try reader.time())
            records.append(
                UseRecord(kind: kind, series: Int(head >> 2), at: at, amount: try reader.number()))
        }
        return records
    }
}
