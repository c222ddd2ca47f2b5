extension JSONReader {
    /// Consumes and fully validates the next value, whatever it is. Returns the range of its bytes.
    package mutating func skipValue() throws(JSONError) -> Range<Int> {
        let kind = try peek()
        let start = position
        switch kind {
        case .string: _ = try scanString()
        case .number: try skipNumber()
        case .boolean: _ = try boolean()
        case .null: try word("null")
        case .array: try skipArray()
        case .object: try skipObject()
        }
        return start..<position
    }

    // Recursion is bounded: beginArray and beginObject refuse more than JSONLimits.depthMax.

    private mutating func skipArray() throws(JSONError) {
        try beginArray()
        var index = 0
        while try nextElement() {
            do { _ = try skipValue() } catch { throw error.inside(index) }
            index += 1
        }
    }

    private mutating func skipObject() throws(JSONError) {
        var keys = SkippedKeys()
        try beginObject()
        while let text = try nextKeyText() {
            try keys.insert(text, of: self)
            do { _ = try skipValue() } catch { throw error.inside(Key(self, text).name) }
        }
    }
}

/// The keys of an object that is skipped, to refuse duplicates. A few keys without escapes need no memory.
private struct SkippedKeys {
    private var few = InlineArray<16, Range<Int>>(repeating: 0..<0)
    private var count = 0
    /// A bit for each of the few keys, determined by its length and its first and last bytes. A key whose bit
    /// is not set is new.
    private var bits: UInt64 = 0
    /// All keys, once they are more or one has escapes.
    private var many: KeySet?

    mutating func insert(_ text: JSONText, of reader: JSONReader) throws(JSONError) {
        guard many == nil, count < few.count, !text.hasEscapes else {
            return try insertSlowly(text, of: reader)
        }
        let key = UnsafeBufferPointer(rebasing: reader.bytes[text.range])
        let bit = Self.bit(of: key)
        if bits & bit != 0 {
            for index in 0..<count where key.elementsEqual(reader.bytes[few[index]]) {
                throw KeySet.duplicate(Key(reader, text), at: text.range.lowerBound)
            }
        }
        bits |= bit
        few[count] = text.range
        count &+= 1
    }

    @inline(__always)
    private static func bit(of key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let first = key.first, let last = key.last else { return 1 }
        let mixed = UInt64(truncatingIfNeeded: key.count) &* 7 &+ UInt64(first) &* 5 &+ UInt64(last)
        return 1 &<< mixed
    }

    @inline(never)
    private mutating func insertSlowly(_ text: JSONText, of reader: JSONReader) throws(JSONError) {
        var all = many ?? KeySet()
        if many == nil {
            for index in 0..<count {
                let earlier = JSONText(range: few[index], isASCII: false, hasEscapes: false)
                try all.insert(Key(reader, earlier), at: few[index].lowerBound)
            }
        }
        many = nil
        try all.insert(Key(reader, text), at: text.range.lowerBound)
        many = all
    }
}

/// A key of an object. Keys are compared by their bytes after decoding escapes, not by Unicode equivalence as
/// Swift compares strings. Borrows the document's bytes.
struct Key: Hashable {
    private let plain: UnsafeBufferPointer<UInt8>
    /// Set only for a key with escapes.
    private let unescaped: [UInt8]?

    init(_ reader: JSONReader, _ text: JSONText) {
        plain = UnsafeBufferPointer(rebasing: reader.bytes[text.range])
        unescaped = text.hasEscapes ? reader.unescaped(text.range) : nil
    }

    var name: String { withBytes { String(decoding: $0, as: UTF8.self) } }

    static func == (left: Key, right: Key) -> Bool {
        left.withBytes { some in
            right.withBytes { other in some.count == other.count && some.elementsEqual(other) }
        }
    }

    func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    func matches(_ field: StaticString) -> Bool {
        withBytes { bytes in
            bytes.count == field.utf8CodeUnitCount && field.withUTF8Buffer { $0.elementsEqual(bytes) }
        }
    }

    @inline(__always)
    private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard let unescaped else { return body(plain) }
        return unescaped.withUnsafeBufferPointer(body)
    }
}

/// The keys of one object, to refuse duplicates. A few are compared one by one. Many are hashed with Swift's
/// random seed, so that no document can make this slow.
struct KeySet {
    private static let comparedMax = 16
    /// In the order of the document.
    private(set) var keys: [Key] = []
    private var hashed: Set<Key> = []

    mutating func insert(_ key: Key, at offset: Int) throws(JSONError) {
        guard isNew(key) else { throw Self.duplicate(key, at: offset) }
        if keys.isEmpty { keys.reserveCapacity(Self.comparedMax) }
        keys.append(key)
    }

    @inline(never)
    static func duplicate(_ key: Key, at offset: Int) -> JSONError {
        JSONError(.duplicateKey, at: offset, path: key.name, "the key is there twice")
    }

    private mutating func isNew(_ key: Key) -> Bool {
        if keys.count < Self.comparedMax { return !keys.contains(key) }
        if hashed.isEmpty { hashed = Set(keys) }
        return hashed.insert(key).inserted
    }
}
