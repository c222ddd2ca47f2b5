import Foundation

/// Computes how large a binary property list becomes when each object is expanded wherever it is referenced:
/// a file of a few hundred bytes can expand to 2^40 objects. (CoreFoundation's CFBinaryPList.c describes the
/// layout.)
struct BinaryListCost {
    private let bytes: Data
    private let offsetBytes: Int
    private let referenceBytes: Int
    private let count: Int
    private let tableStart: Int
    private let most: Int
    /// How many more references may be examined; objects may overlap.
    private var referencesLeft: Int
    private var costs: [Int]

    /// The cost of an object, without the bytes of text or data.
    private static let objectBytes = 16

    /// Whether the data is a binary property list whose expanded objects exceed `most` bytes, or that
    /// contains itself. Foundation refuses lists that are damaged in other ways.
    static func exceeds(_ data: Data, _ most: Int) -> Bool {
        guard var list = BinaryListCost(data, most) else { return false }
        return list.exceeds()
    }

    private init?(_ data: Data, _ most: Int) {
        // Copied so that indices start at 0.
        bytes = Data(data)
        guard bytes.count >= 40, bytes.starts(with: Data("bplist".utf8)) else { return nil }
        let trailer = bytes.count - 32
        offsetBytes = Int(bytes[trailer + 6])
        referenceBytes = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetBytes), (1...8).contains(referenceBytes),
            let count = Self.number(bytes, trailer + 8, 8), let start = Self.number(bytes, trailer + 24, 8),
            start <= trailer, count <= (trailer - start) / offsetBytes
        else { return nil }
        self.count = count
        tableStart = start
        self.most = most
        referencesLeft = most / Self.objectBytes
        costs = [Int](repeating: Self.unknown, count: count)
    }

    private static let (unknown, begun) = (-1, -2)

    private mutating func exceeds() -> Bool {
        guard let top = Self.number(bytes, bytes.count - 16, 8), top < count else { return false }
        var path = [top]
        while let object = path.last {
            guard costs[object] < 0 else {
                path.removeLast()
                continue
            }
            let (own, members) = content(of: object)
            if costs[object] == Self.unknown {
                referencesLeft -= members.count
                guard referencesLeft >= 0 else { return true }
                costs[object] = Self.begun
                path += members.filter { costs[$0] == Self.unknown }
                continue
            }
            var cost = own
            for member in members {
                // The member is still on the path: it contains itself.
                guard costs[member] >= 0, cost <= most else { return true }
                cost += costs[member]
            }
            guard cost <= most else { return true }
            costs[object] = cost
            path.removeLast()
        }
        return false
    }

    /// The object's own bytes and the objects that it references.
    private func content(of object: Int) -> (bytes: Int, members: [Int]) {
        let place = tableStart + object * offsetBytes
        guard let start = Self.number(bytes, place, offsetBytes), start < tableStart else {
            return (Self.objectBytes, [])
        }
        let kind = bytes[start] >> 4
        var (length, content) = (Int(bytes[start] & 0x0f), start + 1)
        if length == 15, kind >= 4, content < tableStart {
            let size = 1 << Int(bytes[content] & 0x0f)
            guard size <= 8, let long = Self.number(bytes, content + 1, size) else {
                return (Self.objectBytes, [])
            }
            (length, content) = (long, content + 1 + size)
        }
        switch kind {
        case 0x4, 0x5: return (Self.objectBytes + min(length, bytes.count), [])
        case 0x6: return (Self.objectBytes + 2 * min(length, bytes.count), [])
        case 0xA, 0xC, 0xD:
            let room = max(0, (tableStart - content) / referenceBytes)
            let named = kind == 0xD ? 2 * min(length, room) : length
            let members = (0..<min(named, room, referencesLeft + 1)).compactMap {
                Self.number(bytes, content + $0 * referenceBytes, referenceBytes)
            }
            return (Self.objectBytes, members.filter { $0 < count })
        default: return (Self.objectBytes, [])
        }
    }

    /// Big-endian. Nil if outside of the data or too large for an index.
    private static func number(_ bytes: Data, _ start: Int, _ count: Int) -> Int? {
        guard start >= 0, start <= bytes.count - count else { return nil }
        return Int(exactly: bytes[start..<start + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
