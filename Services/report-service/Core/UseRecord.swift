import Rules

/// A quarter-hour of UTC, counted from 1970.
enum Quarter {
    static let length_ms: Int64 = 900_000

    static func holding(_ instant_ms: Int64) -> Int64 {
        let quotient = instant_ms / length_ms
        return instant_ms % length_ms < 0 ? quotient - 1 : quotient
    }

    /// The first whole one at or after the instant.
    static func after(_ instant_ms: Int64) -> Int64 {
        let quarter = holding(instant_ms)
        return quarter * length_ms == instant_ms ? quarter : quarter + 1
    }

    static func start_ms(_ quarter: Int64) -> Int64 { quarter * length_ms }
}

/// One use or mark of a series, as a quarter keeps it.
struct UseRecord: Hashable {
    enum Kind: Int64 {
        case use = 0
        case pickup = 1
        case notification = 2
    }

    var kind: Kind
    var series: Int
    var at_ms: Int64
    /// Of a use its length in milliseconds, of a mark how many there are.
    var amount: Int64

    var end_ms: Int64 { kind == .use ? at_ms + amount : at_ms }

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
        (left.at_ms, left.series, left.kind.rawValue) < (right.at_ms, right.series, right.kind.rawValue)
    }
}

/// Records of one quarter as bytes: series and kind, the offset in the quarter, the amount.
enum UseRecords {
    static func packed(_ records: [UseRecord], from start_ms: Int64) -> [UInt8] {
        var writer = PackedWriter()
        for record in records {
            writer.number(Int64(record.series) << 2 | record.kind.rawValue)
            writer.number(record.at_ms - start_ms)
            writer.number(record.amount)
        }
        return writer.bytes
    }

    static func unpacked(
        _ bytes: UnsafeRawBufferPointer, from start_ms: Int64
    ) throws(PackedReader.Damaged) -> [UseRecord] {
        var reader = PackedReader(bytes)
        var records: [UseRecord] = []
        records.reserveCapacity(bytes.count / 6)
        while !reader.isAtEnd {
            let head = try reader.number()
            guard let kind = UseRecord.Kind(rawValue: head & 3) else { throw PackedReader.Damaged() }
            let at_ms = start_ms + (try reader.number())
            records.append(
                UseRecord(kind: kind, series: Int(head >> 2), at_ms: at_ms, amount: try reader.number()))
        }
        return records
    }
}
