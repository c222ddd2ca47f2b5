/// Reads Apple's binary form, which Xcode writes into built bundles: `bplist00`, objects, a table of their
/// offsets, and a trailer of 32 bytes (layout: CoreFoundation's CFBinaryPList.c).
struct BinaryPropertyList {
    private let bytes: [UInt8]
    private let offsetBytes: Int
    private let referenceBytes: Int
    private let objectCount: Int
    private let tableStart: Int
    /// Remaining objects and bytes of texts. A file that references one object a thousand times must not be
    /// expanded to a thousand.
    private var objectsLeft = HostingLimits.propertyListObjectsMax
    private var textBytesLeft = HostingLimits.propertyListTextBytesMax

    static func read(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyList {
        var reader = try BinaryPropertyList(bytes)
        return try reader.object(try reader.top(), depth: 0)
    }

    private init(_ bytes: [UInt8]) throws(PropertyListError) {
        guard bytes.starts(with: Array("bplist00".utf8)), bytes.count >= 40 else {
            throw Self.wrong("a binary property list of version 00 with its trailer")
        }
        let trailer = bytes.count - 32
        self.bytes = bytes
        offsetBytes = Int(bytes[trailer + 6])
        referenceBytes = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetBytes), (1...8).contains(referenceBytes),
            let count = Self.number(bytes, trailer + 8, 8), let start = Self.number(bytes, trailer + 24, 8),
            count > 0, start >= 8, start <= trailer, count <= (trailer - start) / offsetBytes
        else { throw Self.wrong("a trailer that fits the file") }
        objectCount = count
        tableStart = start
    }

    private func top() throws(PropertyListError) -> Int {
        guard let top = Self.number(bytes, bytes.count - 16, 8) else { throw Self.wrong("a top object") }
        return top
    }

    private mutating func object(_ index: Int, depth: Int) throws(PropertyListError) -> PropertyList {
        objectsLeft -= 1
        guard objectsLeft >= 0 else {
            throw Self.wrong(
                "at most \(HostingLimits.propertyListObjectsMax) objects (propertyListObjectsMax)")
        }
        guard index < objectCount, depth < HostingLimits.propertyListDepthMax,
            let start = Self.number(bytes, tableStart + index * offsetBytes, offsetBytes), start < tableStart
        else { throw Self.wrong("objects inside of the file, at most so deep as allowed") }
        let kind = bytes[start] >> 4
        let low = Int(bytes[start] & 0x0f)
        switch kind {
        case 0x0 where low == 8: return .bool(false)
        case 0x0 where low == 9: return .bool(true)
        case 0x1: return .integer(try integer(start + 1, 1 << low))
        case 0x2, 0x3: return .text("")  // A real or a date: nothing here asks for one.
        default: break
        }
        let (count, content) = try length(low, start)
        switch kind {
        case 0x4: return .text("")  // Data, likewise.
        case 0x5: return .text(try text(content, count, unitBytes: 1))
        case 0x6: return .text(try text(content, count, unitBytes: 2))
        case 0xA:
            let members = try references(content, count)
            return .list(try list(members, depth: depth + 1))
        case 0xD:
            let references = try references(content, 2 * count)
            let keys = try list(Array(references[..<count]), depth: depth + 1)
            let values = try list(Array(references[count...]), depth: depth + 1)
            return try dictionary(keys, values)
        default: throw Self.wrong("a known kind of object, not \(kind)")
        }
    }

    private func dictionary(
        _ keys: [PropertyList], _ values: [PropertyList]
    ) throws(PropertyListError) -> PropertyList {
        var members: [String: PropertyList] = [:]
        for (key, value) in zip(keys, values) {
            guard let key = key.text else { throw Self.wrong("texts as keys") }
            guard members.updateValue(value, forKey: key) == nil else {
                throw PropertyListError(reason: "the key '\(key.shortened)' comes twice")
            }
        }
        return .dictionary(members)
    }

    private mutating func list(
        _ references: [Int], depth: Int
    ) throws(PropertyListError) -> [PropertyList] {
        var values: [PropertyList] = []
        for reference in references { values.append(try object(reference, depth: depth)) }
        return values
    }

    private func references(_ start: Int, _ count: Int) throws(PropertyListError) -> [Int] {
        guard count <= (tableStart - start) / referenceBytes, count <= objectsLeft else {
            throw Self.wrong("a shorter list")
        }
        return (0..<count).map { index in
            Self.number(bytes, start + index * referenceBytes, referenceBytes) ?? objectCount
        }
    }

    /// The number of elements and their start. A length of 15 is given by the integer that follows.
    private func length(_ low: Int, _ start: Int) throws(PropertyListError) -> (Int, Int) {
        guard low == 15 else { return (low, start + 1) }
        guard start + 1 < tableStart, bytes[start + 1] >> 4 == 1 else { throw Self.wrong("a length") }
        let count = 1 << Int(bytes[start + 1] & 0x0f)
        guard count <= 8, let length = Self.number(bytes, start + 2, count), length <= bytes.count else {
            throw Self.wrong("a length that fits the file")
        }
        return (length, start + 2 + count)
    }

    private func integer(_ start: Int, _ count: Int) throws(PropertyListError) -> Int64 {
        guard count <= 8, start + count <= tableStart else { throw Self.wrong("a whole number of 64 bits") }
        return Int64(
            bitPattern: bytes[start..<start + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private mutating func text(
        _ start: Int, _ count: Int, unitBytes: Int
    ) throws(PropertyListError) -> String {
        guard count <= (tableStart - start) / unitBytes else { throw Self.wrong("a shorter text") }
        textBytesLeft -= count * unitBytes
        guard textBytesLeft >= 0 else {
            throw Self.wrong(
                "at most \(HostingLimits.propertyListTextBytesMax) bytes of texts (propertyListTextBytesMax)")
        }
        if unitBytes == 1 { return String(decoding: bytes[start..<start + count], as: UTF8.self) }
        let units = (0..<count).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }

    /// Reads a big-endian integer; nil outside of the bytes, or beyond the range of an index.
    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int? {
        guard start >= 0, start + count <= bytes.count else { return nil }
        let value = bytes[start..<start + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }

    private static func wrong(_ expected: String) -> PropertyListError {
        PropertyListError(
            reason: "expected \(expected); `plutil -convert xml1 Info.plist` on a Mac makes the XML form")
    }
}
