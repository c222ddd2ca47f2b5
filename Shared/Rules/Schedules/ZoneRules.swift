/// The changes of a zone's offset, from its TZif file (RFC 9636).
final class ZoneRules: Sendable {
    /// Unix times at which the offset changes, ascending.
    private let changes: [Int64]
    /// Seconds ahead of UTC: before the first change, then after each.
    private let offsets: [Int32]
    /// What follows the last change; nil: its offset stays.
    private let later: YearlyRule?

    /// Always `offset` seconds ahead of UTC.
    init(fixed offset: Int32) {
        (changes, offsets, later) = ([], [offset], nil)
    }

    /// Nil unless the bytes are a TZif file of version 2 or later that counts no leap seconds.
    init?(_ file: [UInt8]) {
        guard let body = TZifBody(file) else { return nil }
        (changes, offsets, later) = (body.changes, body.offsets, body.later)
    }

    /// Seconds ahead of UTC.
    /// - Parameter second: Unix time.
    func offset(at second: Int64) -> Int {
        if let last = changes.last, second < last { return Int(offsets[countOfChanges(until: second)]) }
        return later?.offset(at: second) ?? Int(offsets[changes.count])
    }

    /// By bisection.
    private func countOfChanges(until second: Int64) -> Int {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The second data block of a TZif file, whose times have 64 bits, and the footer.
private struct TZifBody {
    private(set) var changes: [Int64] = []
    private(set) var offsets: [Int32] = []
    private(set) var later: YearlyRule?
    private var rest: ArraySlice<UInt8>

    /// The counts of a header, in its order.
    private struct Counts {
        var universal, standard, leap, changes, types, characters: Int

        /// Bytes of the data block.
        func size(ofTime bytes: Int) -> Int {
            changes * (bytes + 1) + types * 6 + characters + leap * (bytes + 4) + standard + universal
        }
    }

    init?(_ file: [UInt8]) {
        rest = file[...]
        // The first block is for readers that know 32 bits only.
        guard let first = header(), take(first.size(ofTime: 4)) != nil, let counts = header(),
            counts.leap == 0, counts.types > 0
        else { return nil }
        for _ in 0..<counts.changes {
            guard let change = integer(8) else { return nil }
            changes.append(change)
        }
        guard let kinds = take(counts.changes), let types = types(counts.types),
            take(counts.characters + counts.standard + counts.universal) != nil,
            kinds.allSatisfy({ Int($0) < types.count }),
            zip(changes, changes.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        offsets = [types[0]] + kinds.map { types[Int($0)] }
        guard rest.first == UInt8(ascii: "\n"), rest.last == UInt8(ascii: "\n"), rest.count >= 2
        else { return nil }
        let footer = String(decoding: rest.dropFirst().dropLast(), as: UTF8.self)
        guard !footer.isEmpty else { return }
        guard let rule = YearlyRule(footer) else { return nil }
        later = rule
    }

    private mutating func header() -> Counts? {
        guard let start = take(20), start.starts(with: "TZif".utf8), let version = start.dropFirst(4).first,
            version >= UInt8(ascii: "2")
        else { return nil }
        var counts: [Int] = []
        for _ in 0..<6 {
            guard let count = integer(4), (0...65_536).contains(count) else { return nil }
            counts.append(Int(count))
        }
        return Counts(
            universal: counts[0], standard: counts[1], leap: counts[2], changes: counts[3], types: counts[4],
            characters: counts[5])
    }

    /// The offset of each local time type.
    private mutating func types(_ count: Int) -> [Int32]? {
        var types: [Int32] = []
        for _ in 0..<count {
            guard let offset = integer(4), take(2) != nil, (-89_999...93_599).contains(offset)
            else { return nil }
            types.append(Int32(offset))
        }
        return types
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A signed big-endian integer.
    private mutating func integer(_ count: Int) -> Int64? {
        guard let bytes = take(count), let first = bytes.first else { return nil }
        return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }
}
